import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { openApp, rootToken } from '../support/world.ts'

t.test('every response carries X-Request-Id', async t => {
  const { app } = await openApp(t)

  await app.listen({ port: 0, host: '127.0.0.1' })
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
  const { app } = await openApp(t)
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
