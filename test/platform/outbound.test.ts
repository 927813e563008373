import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { decrypt, encrypt } from '#platform/database/encryption.ts'
import { fetchOutbound } from '#platform/network/outbound.ts'
import { isPrivate } from '#platform/network/private-networks.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { configFor, eventually } from '../support/world.ts'

async function openServer(t: Test, answer: RequestListener) {
  const server = createServer(answer)

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })

  return new URL(`http://localhost:${(server.address() as AddressInfo).port}/`)
}

t.test('outbound requests reach public addresses only', async t => {
  for (const address of ['127.0.0.1', '10.0.0.1', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1']) {
    t.ok(isPrivate(address), address)
  }
  for (const address of [
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:8.8.8.8',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    'ff02::1'
  ]) {
    t.ok(isPrivate(address), address)
  }
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])
    t.notOk(isPrivate(address), address)
})

t.test('an outbound request has a limit of time and size, and never connects to a private address', async t => {
  let isAsked = false
  const url = await openServer(t, (request, response) => {
    isAsked = true
    if (request.url === '/large') response.end('x'.repeat(2000))
    if (request.url === '/dripping') response.write('x')
    if (request.url === '/') response.end('hello')
  })
  const question = { headers: {}, allowsPrivate: true, timeoutMs: 30_000, maxBytes: 1000 }
  const impatient = { ...question, timeoutMs: 300 }

  await t.rejects(fetchOutbound(url, { ...question, allowsPrivate: false }), { message: /private network/ })
  t.notOk(isAsked)
  hasExactly(t, await fetchOutbound(url, question), { status: 200, text: 'hello' })
  await t.rejects(fetchOutbound(new URL('/large', url), question), { message: /too large a body/ })
  await t.rejects(fetchOutbound(new URL('/silent', url), impatient), { message: 'did not answer within 0.3 seconds' })
  await t.rejects(fetchOutbound(new URL('/dripping', url), impatient), { message: 'did not answer within 0.3 seconds' })
})

t.test('a receiver that dribbles, redirects or answers without end costs no more than the limits', async t => {
  const inner = await openServer(t, (_request, response) => response.end('secret'))
  const closed: string[] = []
  const url = await openServer(t, (request, response) => {
    const { socket } = request
    const dribble = (text: string) => {
      const timer = setInterval(() => socket.write(text), 20)

      socket.on('close', () => {
        clearInterval(timer)
        closed.push(request.url!)
      })
    }

    if (request.url === '/status') dribble('H')
    if (request.url === '/header') {
      socket.write('HTTP/1.1 200 OK\r\nX-A: ')
      dribble('a')
    }
    if (request.url === '/early') dribble('HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n')
    if (request.url === '/body') {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
      dribble('a')
    }
    if (request.url === '/chunks') {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      dribble(`1;${'x'.repeat(500)}\r\na\r\n`)
    }
    if (request.url === '/headers') socket.end(`HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(100)}\r\n`)
    if (request.url === '/endless') {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      dribble('x'.repeat(50_000))
    }
    if (request.url === '/redirect') response.writeHead(302, { location: inner.href }).end()
  })
  const question = { headers: {}, body: '{}', allowsPrivate: true, timeoutMs: 1000, maxBytes: 1000 }
  const fetch = (path: string, more = {}) => fetchOutbound(new URL(path, url), { ...question, ...more })

  for (const path of ['/header', '/early', '/body']) await t.rejects(fetch(path), { message: 'did not answer within 1 seconds' }, path)
  for (const path of ['/status', '/chunks', '/headers']) await t.rejects(fetch(path), { message: /did not answer|cannot be reached/ }, path)
  hasExactly(t, await fetch('/endless', { timeoutMs: 30_000, isCut: true }), { status: 200, text: 'x'.repeat(1000) })
  hasExactly(t, await fetch('/redirect'), { status: 302, text: '' })
  await eventually(() => closed.length === 6, 'all connections are closed')
})

t.test('encrypted text is decrypted only by the same installation and for the same owner', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'vault-'))
  const config = { ...configFor('postgres', 'vault'), dataDir: join(dataDir, 'new') }
  const [one, other] = await Promise.all([encrypt(config, 'a token', 'shop'), encrypt(config, 'a token', 'shop')])

  t.notSame(one, other, 'the same looks different each time')
  t.same(await Promise.all([one, other].map(sealed => decrypt(config, sealed, 'shop'))), ['a token', 'a token'])
  t.equal(await decrypt(config, one, 'somebody else'), undefined)
  t.equal(await decrypt({ ...config, secretKey: 'another secret, of another installation' }, one, 'shop'), undefined)
  t.equal(await decrypt(config, Buffer.from('short'), 'shop'), undefined)
  t.same(await readdir(config.dataDir), ['secret.key'])
  t.equal((await stat(join(config.dataDir, 'secret.key'))).mode & 0o777, 0o600)
})
