import t from 'tap'
import { openApp } from '../support/world.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

t.test('the token endpoint accepts forms and JSON', async t => {
  const { app } = await openApp(t)
  const post = (payload: string, headers: Record<string, string>) => app.inject({ method: 'POST', url: '/oauth/token', payload, headers })
  const refused = { error: 'unsupported_grant_type', error_description: unsupported }

  for (const [payload, headers] of [
    ['grant_type=implicit', form],
    ['grant_type=implicit&unknown=1&unknown_too', form],
    ['{"grant_type":"implicit"}', json]
  ] as const) {
    const response = await post(payload, headers)

    t.equal(response.statusCode, 400, payload)
    t.same(response.json(), refused, payload)
    t.equal(response.headers['cache-control'], 'no-store')
    t.equal(response.headers.pragma, 'no-cache')
    t.notOk(response.headers['www-authenticate'], 'a challenge would hide the body from clients')
  }
})

t.test('malformed requests are invalid_request', async t => {
  const { app } = await openApp(t)
  const cases: [description: string, payload: string, headers: Record<string, string>, status: number][] = [
    ['Missing required parameter: grant_type.', '', form, 400],
    ['Missing required parameter: grant_type.', 'grant_type=', form, 400],
    ['Missing required parameter: grant_type.', 'null', json, 400],
    ['A parameter is repeated.', 'grant_type=password&grant_type=password', form, 400],
    ['A parameter is repeated.', 'grant_type=&grant_type=password', form, 400],
    ['A parameter is too long.', `grant_type=${'a'.repeat(4097)}`, form, 400],
    ['The parameters are not well encoded', 'grant_type=%E0%A4%A', form, 400],
    ['code is invalid', 'code=%00', form, 400],
    ['Parameters must be strings.', '{"grant_type":1}', json, 400],
    ['Parameters must be strings.', '[1]', json, 400],
    ['The body is not valid JSON.', '{', json, 400],
    ["The provided content-type 'text/csv' is not supported.", 'grant_type', { 'content-type': 'text/csv' }, 415],
    ['413 Request Entity Too Large', `a=${'b'.repeat(70_000)}`, form, 413]
  ]

  for (const [description, payload, headers, status] of cases) {
    const response = await app.inject({ method: 'POST', url: '/oauth/token', payload, headers })

    t.same(response.json(), { error: 'invalid_request', error_description: description }, payload.slice(0, 60))
    t.equal(response.statusCode, status, payload.slice(0, 60))
  }
})

t.test('applications in a browser may send their credentials, but no other headers', async t => {
  const { app } = await openApp(t)

  for (const path of ['token', 'token/info', 'revoke', 'introspect', 'userinfo']) {
    const { statusCode, headers } = await app.inject({
      method: 'OPTIONS',
      url: `/oauth/${path}`,
      headers: {
        origin: 'https://client.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-requested-with'
      }
    })

    t.equal(statusCode, 204, path)
    t.equal(headers['access-control-allow-origin'], '*', path)
    t.equal(headers['access-control-allow-headers'], 'Authorization, Content-Type, Accept, MCP-Protocol-Version', path)
    t.notOk(headers['access-control-allow-credentials'], path)
  }
  const refused = await app.inject({ method: 'POST', url: '/oauth/token', headers: { origin: 'https://client.example' } })

  t.equal(refused.headers['access-control-allow-origin'], '*', 'pages can read errors, too')
})

t.test('unknown paths and wrong methods answer as everywhere', async t => {
  const { app } = await openApp(t)
  const wrongMethod = await app.inject({ method: 'GET', url: '/oauth/token' })

  t.equal(wrongMethod.statusCode, 405)
  t.equal(wrongMethod.headers.allow, 'OPTIONS, POST')
  t.equal((await app.inject('/oauth/nothing')).statusCode, 404)
})

const unsupported = 'The authorization grant type is not supported by the authorization server.'
