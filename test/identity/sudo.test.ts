import t from 'tap'
import { openApp, rootPassword, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('an admin acts as a user by id or username, in the query or a header, ignoring case', async t => {
  const { app, call } = await openApp(t)
  const { id } = await aPerson(call, 'jane')
  const ways: { headers?: Record<string, string>; query?: Record<string, string> }[] = [
    { headers: { sudo: 'jane' } },
    { headers: { sudo: 'JANE' } },
    { headers: { Sudo: String(id) } },
    { query: { sudo: 'Jane' } }
  ]

  for (const { headers, query } of ways) {
    const answer = await app.inject({ url: '/api/v4/user', query, headers: { 'private-token': rootToken, ...headers } })
    t.equal(answer.json().username, 'jane')
  }
})

t.test('a sudo request has the permissions of the user, and the audit event names both', async t => {
  const { app, call, platform } = await openApp(t)
  const { id } = await aPerson(call, 'jane')
  const headers = { 'private-token': rootToken, sudo: 'jane' }

  t.equal((await app.inject({ method: 'POST', url: `/api/v4/users/${id}/block`, headers })).statusCode, 403)
  const made = await app.inject({
    method: 'POST',
    url: '/api/v4/user/personal_access_tokens',
    headers,
    payload: { name: 'theirs', scopes: ['api'] }
  })
  t.hasStrict(made.json(), { user_id: id })
  const { rows } = await platform.pool.query('SELECT author_id, details FROM audit_events ORDER BY id DESC LIMIT 1')
  t.hasStrict(rows[0], { author_id: id, details: { author_username: 'jane', impersonated_by: 'root' } })
})

t.test('each reason to refuse sudo has its own error, in a fixed order', async t => {
  const { app, call } = await openApp(t)
  const jane = await aPerson(call, 'jane')
  const blocked = await aPerson(call, 'gone')
  const { body: weak } = await call('POST', '/users/1/personal_access_tokens', { name: 'weak', scopes: ['api'] })
  const { body: strong } = await call('POST', '/users/1/personal_access_tokens', { name: 'sudo alone', scopes: ['sudo'] })
  const ask = async (headers: Record<string, string>) => {
    const answer = await app.inject({ url: '/api/v4/user', headers })
    return [answer.statusCode, answer.json()]
  }

  await call('POST', `/users/${blocked.id}/block`)
  t.same(await ask({ sudo: 'jane' }), [401, { message: '401 Unauthorized' }])
  t.same(await ask({ sudo: 'nobody', 'private-token': jane.token }), [403, { message: '403 Forbidden - Must be admin to use sudo' }])
  t.same(await ask({ sudo: 'nobody', 'private-token': weak.token }), [
    403,
    {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: 'sudo'
    }
  ])
  t.same(await ask({ sudo: 'nobody', 'private-token': rootToken }), [404, { message: "404 User with ID or username 'nobody' Not Found" }])
  t.same(await ask({ sudo: '4711', 'private-token': rootToken }), [404, { message: "404 User with ID or username '4711' Not Found" }])
  t.same((await ask({ sudo: '', 'private-token': rootToken }))[0], 404, 'an empty value is an unknown user')
  t.same((await ask({ sudo: 'gone', 'private-token': rootToken }))[0], 403)
  t.same((await ask({ sudo: 'jane', 'private-token': strong.token }))[0], 403, 'sudo adds no other scope')
  t.same((await ask({ sudo: 'root', 'private-token': strong.token }))[0], 403, 'sudo as oneself does not extend the scopes')
})

t.test('the other scopes of the token still apply', async t => {
  const { app, call } = await openApp(t)
  const { id } = await aPerson(call, 'jane')
  const { body: reader } = await call('POST', '/users/1/personal_access_tokens', { name: 'reader', scopes: ['sudo', 'read_api'] })
  const headers = { 'private-token': reader.token, sudo: 'jane' }

  t.equal((await app.inject({ url: '/api/v4/projects', headers })).statusCode, 200)
  t.equal((await app.inject({ method: 'POST', url: '/api/v4/projects', headers, payload: { name: 'P' } })).statusCode, 403)
  const { body: weak } = await call('POST', '/users/1/personal_access_tokens', { name: 'weak', scopes: ['api'] })
  const { body: other } = await call('POST', '/users/1/personal_access_tokens', { name: 'other', scopes: ['api', 'sudo'] })
  const refused = { status: 400, body: { message: { scopes: ['cannot go beyond those of the token in use'] } } }

  for (const path of ['/user/personal_access_tokens', '/users/1/personal_access_tokens', '/users/1/impersonation_tokens'])
    t.hasStrict(await call('POST', path, { name: 'more', scopes: ['sudo'] }, weak.token), refused, path)
  t.hasStrict(await call('POST', `/personal_access_tokens/${other.id}/rotate`, {}, weak.token), refused)
  t.equal((await call('GET', '/personal_access_tokens/self', undefined, other.token)).status, 200, 'it was not rotated')
  t.equal((await call('POST', `/users/${id}/personal_access_tokens`, { name: 'theirs', scopes: 'api,read_user' }, weak.token)).status, 201)
})

t.test('sudo counts in a body, which the guard checks as well', async t => {
  const { app, call } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const create = async (payload: object | string, by = rootToken, type = 'application/json') => {
    const headers = { 'private-token': by, 'content-type': type }
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/v4/projects', payload, headers })

    return [statusCode, JSON.parse(body).creator_id]
  }

  t.same(await create({ name: 'JSON', sudo: 'jane' }), [201, id])
  t.same(await create(`name=Form&sudo=${id}`, rootToken, 'application/x-www-form-urlencoded'), [201, id])
  t.same((await create({ name: 'P', sudo: 'root' }, token))[0], 403, 'users who are no admin may not')
  t.same((await create({ name: 'P', sudo: { toString: 1 } }))[0], 404)
  t.equal((await call('POST', `/users/${id}/block`, { sudo: 'jane' })).status, 403, 'jane is no admin')
})

t.test('a session cannot use sudo', async t => {
  const { app } = await openApp(t)
  const signedIn = await app.inject({
    method: 'POST',
    url: '/users/sign_in',
    payload: new URLSearchParams({ login: 'root', password: rootPassword }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  const cookies = { _service_session: signedIn.cookies[0]!.value }
  const answer = await app.inject({ url: '/api/v4/user', cookies, headers: { sudo: 'root' } })

  t.same(
    [answer.statusCode, answer.json()],
    [403, { message: '403 Forbidden - Must be authenticated using an OAuth or personal access token to use sudo' }]
  )
})
