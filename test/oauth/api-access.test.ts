import t from 'tap'
import { aPerson } from '../identity/people.ts'
import { openProvider } from './provider.ts'

t.test('scopes bound an access token as they bound a personal one', async t => {
  const { register, authorize, app } = await openProvider(t)
  const client = await register({ scopes: 'api read_api read_user openid' })
  const call = async (scope: string, method: 'GET' | 'POST', url: string) => {
    const { access_token: token } = await authorize(client, { scopes: [scope] })
    const response = await app.inject({ method, url: `/api/v4${url}`, headers: { authorization: `Bearer ${token}` }, payload: {} })

    return [response.statusCode, response.json()]
  }
  const insufficient = (scope: string) => ({
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope
  })

  t.equal((await call('read_user', 'GET', '/user'))[0], 200)
  t.same(await call('read_user', 'GET', '/projects/1'), [403, insufficient('api read_api')])
  t.equal((await call('read_api', 'GET', '/projects/1'))[0], 200)
  t.same(await call('read_api', 'POST', '/projects'), [403, insufficient('api')])
  t.equal((await call('api', 'POST', '/projects'))[0], 400)
  t.equal((await call('openid', 'GET', '/user'))[0], 403)
})

t.test('sudo works with an OAuth token of an admin that has the scope', async t => {
  const { register, authorize, app, call } = await openProvider(t)
  const client = await register({ scopes: 'api sudo' })

  await aPerson(call, 'jane')
  const ask = async (approval: object) => {
    const { access_token: token } = await authorize(client, approval)
    const response = await app.inject({ url: '/api/v4/user?sudo=jane', headers: { authorization: `Bearer ${token}` } })

    return [response.statusCode, response.json().username ?? response.json().error ?? response.json().message]
  }

  t.same(await ask({ scopes: ['api', 'sudo'] }), [200, 'jane'])
  t.same(await ask({ scopes: ['api'] }), [403, 'insufficient_scope'])
  t.same(await ask({ scopes: ['api'], username: 'jane' }), [403, '403 Forbidden - Must be admin to use sudo'])
})

t.test('tokens end with their user and with their application', async t => {
  const { register, authorize, refresh, statusWith, call } = await openProvider(t)
  const client = await register()
  const other = await register()
  const jane = await aPerson(call, 'jane')
  const kim = await aPerson(call, 'kim')
  const tokens = await authorize(client, { username: 'jane' })
  const ofKim = await authorize(other, { username: 'kim' })

  await call('POST', `/users/${jane.id}/block`)
  t.equal(await statusWith(tokens.access_token), 403)
  t.equal(await statusWith(tokens.access_token, '/projects'), 403)
  t.equal((await refresh(client, tokens.refresh_token)).body.error, 'invalid_grant')
  await call('POST', `/users/${jane.id}/unblock`)
  t.equal(await statusWith(tokens.access_token), 200)

  t.equal((await call('DELETE', `/users/${kim.id}?hard_delete=true`)).status, 204)
  t.equal(await statusWith(ofKim.access_token), 401)
  t.equal((await call('DELETE', `/applications/${client.id}`)).status, 204)
  t.equal(await statusWith(tokens.access_token), 401)
  t.equal((await refresh(client, tokens.refresh_token)).body.error, 'invalid_client')
})

t.test('a token that ended says so', async t => {
  const { register, authorize, refresh, app, platform } = await openProvider(t)
  const client = await register()
  const revoked = await authorize(client)
  const expired = await authorize(client)
  const ask = (token: string) => app.inject({ url: '/api/v4/user', headers: { authorization: `Bearer ${token}` } })

  await refresh(client, revoked.refresh_token)
  const whenRevoked = await ask(revoked.access_token)

  t.equal(whenRevoked.statusCode, 401)
  t.equal(whenRevoked.json().error, 'invalid_token')
  t.equal(whenRevoked.json().error_description, 'Token was revoked. You have to re-authorize from the user.')
  t.match(whenRevoked.headers['www-authenticate'], /^Bearer realm="Tocsin", error="invalid_token"/)

  await platform.pool.query("UPDATE oauth_tokens SET expires_at = now() - interval '1 second'")
  t.equal(
    (await ask(expired.access_token)).json().error_description,
    'Token is expired. You can either do re-authorization or token refresh.'
  )
  t.same((await ask('0'.repeat(64))).json(), { message: '401 Unauthorized' })
})

t.test('audit events name the application that acted for the user', async t => {
  const { register, authorize, app, auditEvents } = await openProvider(t)
  const client = await register()
  const { access_token: token } = await authorize(client)

  await app.inject({ method: 'POST', url: '/api/v4/users/1/personal_access_tokens', ...asJson(token, { name: 'made', scopes: ['api'] }) })
  const [event] = await auditEvents('personal_access_token_created')

  t.equal(event.details.oauth_application_id, client.id)
  t.equal(event.details.author_username, 'root')
})

t.test('a token cannot create one with admin scopes that it lacks', async t => {
  const { register, authorize, app } = await openProvider(t)
  const { access_token: token } = await authorize(await register())
  const response = await app.inject({
    method: 'POST',
    url: '/api/v4/user/personal_access_tokens',
    ...asJson(token, { name: 'more', scopes: ['sudo'] })
  })

  t.equal(response.statusCode, 400)
})

t.test('tokens are stored as hashes only', async t => {
  const { register, authorize, approve, platform } = await openProvider(t)
  const client = await register()
  const code = await approve(client)
  const { access_token: access, refresh_token: refresh } = await authorize(client)
  const tables = ['oauth_applications', 'oauth_codes', 'oauth_grants', 'oauth_tokens', 'audit_events']
  const dumps = await Promise.all(tables.map(table => platform.pool.query(`SELECT to_jsonb(r)::text AS row FROM ${table} r`)))
  const text = JSON.stringify(dumps.map(({ rows }) => rows))

  for (const secret of [code, access, refresh, client.client_secret, client.client_secret.slice(6)]) t.notOk(text.includes(secret))
})

function asJson(token: string, payload: object) {
  return { headers: { authorization: `Bearer ${token}` }, payload }
}
