import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { createIntegration } from '../../src/alerts/integrations/create-integration.ts'
import { aProject } from '../support/factories.ts'
import { listen } from '../support/listen.ts'
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
  const { app, platform, config, project, key } = await aProject(t, { env: { ENVELOPE_MAX_BYTES: '1048576' }, isPrivate: true })
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
