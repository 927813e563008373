import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import t from 'tap'
import { listen } from '../support/listen.ts'
import { openConventionalApp } from './conventional-app.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/projects/:id', async request => request.params)
  app.put('/projects/:id', async () => ({}))
  app.delete('/projects/:id', async () => ({}))
  app.get('/projects/:id/keys/:key_id', async request => request.params)
  app.post('/projects/:project_id/keys', async () => ({}))
  app.post('/projects/:id/hooks/:name.json', async () => ({}))
  app.get('/files/*', async () => ({}))
}
const { ask, app } = await openConventionalApp(t, routes)

t.test('a path parameter may be an encoded path of any allowed depth and length', async t => {
  const deep = Array.from({ length: 20 }, (_, n) => `group.${n}-ü`)
  const long = Array.from({ length: 20 }, () => 'x'.repeat(255))

  for (const path of ['a/b', deep.join('/'), long.join('/'), 'with space+plus', 'a.b.json', 'A%2FB']) {
    t.same((await ask('GET', `/projects/${encodeURIComponent(path)}`)).body, { id: path })
  }
  t.same((await ask('GET', '/projects/a%2fb')).body, { id: 'a/b' })
  t.same((await ask('GET', '/projects/a%2Fb/')).body, { id: 'a/b' }, 'with a slash at the end')
  t.same((await ask('GET', '/projects/a%2Fb/keys/5/?x=1')).body, { id: 'a/b', key_id: '5' })
})

t.test('an unknown route is 404', async t => {
  const unknown = [
    '/projects/a/b',
    '/projects//5',
    '//projects/5',
    '/projects/5//keys/1',
    '/Projects/5',
    '/projects/5/keys/1/2',
    '/',
    '/nowhere?a=1'
  ]

  for (const url of unknown) {
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      t.hasStrict(await ask(method, url), { status: 404, body: { error: '404 Not Found' } }, `${method} ${url}`)
    }
  }
  t.hasStrict(
    await ask('POST', '/nowhere', { payload: '{"', headers: { 'content-type': 'application/json' } }),
    { status: 404 },
    'whatever the body'
  )
})

t.test('405: the allowed methods are listed', async t => {
  const refused = async (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'TRACE', url: string, allow: string) => {
    const { status, headers, body } = await ask(method, url)

    t.hasStrict({ status, allow: headers.allow }, { status: 405, allow }, `${method} ${url}`)
    if (method !== 'HEAD') t.same(body, { error: '405 Not Allowed' })
  }

  await refused('POST', '/projects/5', 'DELETE, GET, HEAD, OPTIONS, PUT')
  await refused('PATCH', '/projects/a%2Fb/', 'DELETE, GET, HEAD, OPTIONS, PUT')
  await refused('TRACE', '/projects/5?a=1', 'DELETE, GET, HEAD, OPTIONS, PUT')
  await refused('GET', '/projects/5/keys', 'OPTIONS, POST')
  await refused('HEAD', '/projects/5/keys', 'OPTIONS, POST')
  await refused('GET', '/projects/5/hooks/a.json', 'OPTIONS, POST')
  await refused('DELETE', '/files/a/b', 'GET, HEAD, OPTIONS')
  t.hasStrict(
    await ask('POST', '/projects/5', { payload: 'x', headers: { 'content-type': 'text/plain' } }),
    { status: 405 },
    'whatever the body'
  )
})

t.test('CORS allows other origins, without cookies', async t => {
  const preflight = await ask('OPTIONS', '/projects/5', {
    headers: {
      origin: 'https://a.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'private-token,x-any'
    }
  })

  t.equal(preflight.status, 204)
  t.equal(preflight.text, '')
  t.hasStrict(preflight.headers, {
    allow: 'DELETE, GET, HEAD, OPTIONS, PUT',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'private-token,x-any'
  })
  t.match(preflight.headers, { 'access-control-allow-methods': /\bPUT\b/ })
  for (const answer of [preflight, await ask('GET', '/projects/5'), await ask('GET', '/nowhere'), await ask('GET', '/projects/%00')]) {
    t.equal(answer.headers['access-control-allow-origin'], '*')
    t.equal(answer.headers['access-control-allow-credentials'], undefined)
    for (const name of ['Link', 'X-Total', 'X-Next-Page', 'RateLimit-Remaining', 'Retry-After']) {
      t.match(answer.headers['access-control-expose-headers'], name)
    }
  }
})

t.test('414: the query has a length limit, and a body may be used instead', async t => {
  t.equal((await ask('GET', `/projects/5?a=${'x'.repeat(8190)}`)).status, 200)
  t.hasStrict(await ask('GET', `/projects/5?a=${'x'.repeat(8191)}`), { status: 414, body: { error: '414 URI Too Long' } })
  t.equal((await ask('PUT', '/projects/5', { payload: { a: 'x'.repeat(9000) } })).status, 200)
  t.hasStrict(await ask('GET', `/projects/${'x'.repeat(8193)}`), { status: 414, body: { error: '414 URI Too Long' } })
})

t.test('requests that Node refuses get a response of the same shape', async t => {
  await listen(app)
  const send = async (text: string) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    const chunks: Buffer[] = []

    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', () => {})
    socket.write(text)
    await once(socket, 'close')
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')

    return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) }
  }
  const get = (url: string, header = '') => `GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n`

  t.hasStrict(await send(get(`/api/v4/user?a=${'x'.repeat(20_000)}`)), { status: 414, body: { error: '414 URI Too Long' } })
  t.hasStrict(await send(`GET /api/v4/user?a=${'x'.repeat(40_000)}`), { status: 414, body: { error: '414 URI Too Long' } })
  t.hasStrict(await send(get('/api/v4/user', `X-Long: ${'x'.repeat(40_000)}\r\n`)), {
    status: 431,
    body: { error: '431 Request Header Fields Too Large' }
  })
  const refused = await send('nonsense\r\n\r\n')
  t.hasStrict(refused, { status: 400, body: { error: '400 Bad Request' } })
  t.match(refused, { head: /Content-Type: application\/json/ })
  t.hasStrict(await send(get('http://other.example/api/v4/test/projects/5')), { status: 200, body: { id: '5' } })
})
