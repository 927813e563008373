import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createIntegration } from '#alerts/integrations/create-integration.ts'
import { openProject } from '../support/factories.ts'
import { listen, portOf } from '../support/listen.ts'
import { openApp, rootToken } from '../support/world.ts'

t.test('every response carries X-Request-Id', async t => {
  const { app } = await openApp(t)

  await listen(app)
  const { port } = app.server.address() as AddressInfo
  const urls = [
    '/api/v4/version',
    '/api/v4/nowhere',
    '/nowhere',
    '/users/sign_in',
    '/-/liveness',
    '/api/1/envelope/',
    '/a/b/alerts/notify.json',
    '/%zz'
  ]

  for (const url of urls) t.match((await fetch(`http://127.0.0.1:${port}${url}`)).headers.get('x-request-id'), /^[0-9a-f-]{36}$/, url)
  t.equal((await app.inject({ url: '/nowhere', headers: { 'x-request-id': 'of-the-proxy' } })).headers['x-request-id'], 'of-the-proxy')

  const broken = connect(port, '127.0.0.1')
  broken.end('no request at all\r\n\r\n')
  t.match(await text(broken), /^HTTP\/1\.1 400 [\s\S]*\r\nX-Request-Id: [0-9a-f-]{36}\r\n/)
})

t.test('a request in flight is answered while the server closes, and its connection ends', async t => {
  const { app } = await openApp(t, { isPrivate: true })
  const payload = JSON.stringify({ name: 'Late' })

  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // The server answers 100 Continue once it has received the headers.
  const headers = {
    'private-token': rootToken,
    'content-type': 'application/json',
    'content-length': payload.length,
    connection: 'keep-alive',
    expect: '100-continue'
  }
  const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/api/v4/projects', headers })
  const answer = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject))

  sent.flushHeaders()
  await new Promise<void>(resolve => sent.on('continue', resolve))
  const closed = app.close()

  sent.end(payload)
  const response = await answer

  t.same([response.statusCode, response.headers.connection], [201, 'close'])
  t.hasStrict(JSON.parse(await text(response)), { name: 'Late' })
  await closed
})

t.test('a client that sends an oversized body to its end receives the 413', async t => {
  const { app, platform, config, project, key } = await openProject(t, { env: { ENVELOPE_MAX_BYTES: '1048576' }, isPrivate: true })
  const { integration, key: alertKey } = await createIntegration(platform.fork(), config, project.id, { name: 'Uptime', kind: 'http' })
  const paths = {
    '/api/v4/projects': `private-token: ${rootToken}`,
    [`/api/${project.id}/envelope/`]: `x-sentry-auth: Sentry sentry_key=${key.public_key}`,
    [integration.url('', project.path_with_namespace)]: `authorization: Bearer ${alertKey}`
  }

  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const body = Buffer.alloc(1 << 24, 'x')
  const framings = {
    'a content length': [`content-length: ${body.length}`, body],
    chunks: [
      'transfer-encoding: chunked',
      Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    ]
  } as const

  for (const [path, auth] of Object.entries(paths)) {
    for (const [name, [framing, bytes]] of Object.entries(framings)) {
      const socket = connect(port, '127.0.0.1')
      const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: keep-alive\r\ncontent-type: application/json\r\n${auth}\r\n${framing}\r\n\r\n`

      // Reads nothing until everything is written, as simple clients do.
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject).pause()
        socket.write(head)
        socket.write(bytes, error => (error ? reject(error) : resolve()))
      })
      const [answer] = (await once(socket.resume(), 'data')) as [Buffer]

      t.match(String(answer), /^HTTP\/1.1 413 [\s\S]*arge/, `${path} with ${name}`)
      socket.destroy()
    }
  }
})

t.test('a client that sends the headers of a request byte by byte is answered 408 and cut off', async t => {
  const { app } = await openApp(t, { isPrivate: true })

  t.equal(app.server.headersTimeout, 60_000)
  await listenImpatiently(app)
  const { answer, closed } = trickle(t, portOf(app), 'GET /api/v4/version HTTP/1.1\r\nx-slow: ')

  t.match(await answer, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  await closed
})

t.test('a client that goes on sending after a malformed request is cut off', async t => {
  const { app } = await openApp(t)

  await listen(app)
  const { answer, closed } = trickle(t, portOf(app), 'no request at all\r\n\r\n')

  t.match(await answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
  await closed
})

t.test('a body may arrive more slowly than headers', async t => {
  const { app } = await openApp(t, { isPrivate: true })

  await listenImpatiently(app)
  const payload = JSON.stringify({ name: 'Slow' })
  const socket = connect(portOf(app), '127.0.0.1')
  const answer = text(socket)

  socket.write(
    `POST /api/v4/projects HTTP/1.1\r\nhost: a\r\nconnection: close\r\nprivate-token: ${rootToken}\r\n` +
      `content-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n`
  )
  for (const byte of payload) {
    await sleep(50)
    socket.write(byte)
  }
  t.match(await answer, /^HTTP\/1\.1 201 /)
})

/** With a time-out for headers that a test can wait for. */
async function listenImpatiently(app: FastifyInstance) {
  Object.assign(app.server, { headersTimeout: 200, connectionsCheckingInterval: 50 })
  await listen(app)
}

/** Sends one more byte now and then for as long as the connection is open, whatever is answered. */
function trickle(t: Test, port: number, start: string) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const timer = setInterval(() => socket.writable && socket.write('x'), 20)

  socket.on('error', () => {}).write(start)
  t.teardown(() => {
    clearInterval(timer)
    socket.destroy()
  })

  return {
    answer: once(socket, 'data').then(([data]) => String(data)),
    // Not `once`, which would reject when the server resets the connection.
    closed: new Promise<void>(resolve => socket.on('close', () => resolve()))
  }
}
