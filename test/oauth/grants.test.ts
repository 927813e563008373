import t from 'tap'
import { aPerson } from '../identity/people.ts'
import { rootPassword } from '../support/world.ts'
import { basic, credentials, openProvider, redirectUri, s256, verifier } from './provider.ts'

t.test('a code gives tokens that work on the whole API', async t => {
  const { register, approve, exchange, app, auditEvents } = await openProvider(t)
  const client = await register()
  const { status, headers, body } = await exchange(client, await approve(client, { scopes: ['api', 'read_user'] }))

  t.equal(status, 200)
  t.match(body, { access_token: /^[0-9a-f]{64}$/, refresh_token: /^[0-9a-f]{64}$/, created_at: Number })
  t.same(Object.keys(body).sort(), ['access_token', 'created_at', 'expires_in', 'refresh_token', 'scope', 'token_type'])
  t.same([body.token_type, body.expires_in, body.scope], ['bearer', 7200, 'api read_user'])
  t.equal(headers['cache-control'], 'no-store')

  const bearer = await app.inject({ url: '/api/v4/user', headers: { authorization: `Bearer ${body.access_token}` } })

  t.equal(bearer.json().username, 'root')
  t.equal((await app.inject(`/api/v4/user?access_token=${body.access_token}`)).statusCode, 200)
  t.equal((await app.inject({ url: '/api/v4/user', headers: { 'private-token': body.access_token } })).statusCode, 401)
  t.equal((await app.inject(`/api/v4/user?private_token=${body.access_token}`)).statusCode, 401)
  t.equal((await app.inject({ url: '/api/v4/user', headers: { authorization: `Bearer ${body.refresh_token}` } })).statusCode, 401)

  const [event] = await auditEvents('oauth_grant_created')

  t.hasStrict(event, { entity_type: 'User', details: { target_type: 'OauthApplication', target_id: client.id, target_details: 'Client' } })
})

t.test('a public client proves with PKCE that it asked for the code', async t => {
  const { register, approve, exchange, refresh, statusWith } = await openProvider(t)
  const client = await register({ confidential: 'false' })
  const code = await approve(client, { challenge: s256(verifier) })

  t.equal(client.client_secret, null)
  const { body } = await exchange({ client_id: client.client_id }, code, { code_verifier: verifier })

  t.equal(await statusWith(body.access_token), 200)
  const { status, body: next } = await refresh({ client_id: client.client_id }, body.refresh_token, { redirect_uri: redirectUri })

  t.equal(status, 200)
  t.equal(await statusWith(next.access_token), 200)
})

t.test('a client authenticates in the header or in the body', async t => {
  const { register, approve, exchange, post } = await openProvider(t)
  const client = await register()
  const form = { grant_type: 'authorization_code', redirect_uri: redirectUri }

  t.equal((await post('token', { ...form, code: await approve(client) }, basic(client))).status, 200)
  t.equal((await post('token', { ...form, code: await approve(client), client_id: client.client_id }, basic(client))).status, 200)
  t.equal((await exchange(client, await approve(client))).status, 200)
  const empty = { authorization: `Basic ${btoa(':')}` }

  t.equal((await post('token', { ...form, ...credentials(client), code: await approve(client) }, empty)).status, 200)
})

t.test('a refresh gives a new pair and ends the old one', async t => {
  const { register, authorize, refresh, statusWith, platform } = await openProvider(t)
  const client = await register()
  const first = await authorize(client, { scopes: ['api', 'read_user'] })

  await platform.pool.query("UPDATE oauth_tokens SET expires_at = now() - interval '1 second'")
  t.equal(await statusWith(first.access_token), 401, 'the access token has expired')
  const { status, body: second } = await refresh(client, first.refresh_token)

  t.equal(status, 200)
  t.same(Object.keys(second).sort(), ['access_token', 'created_at', 'expires_in', 'refresh_token', 'scope', 'token_type'])
  t.equal(second.scope, 'api read_user')
  t.equal(await statusWith(second.access_token), 200)

  const { body: third } = await refresh(client, second.refresh_token, { scope: 'read_user' })

  t.equal(third.scope, 'read_user', 'the scope can be narrowed')
  t.equal(await statusWith(second.access_token), 401, 'the access token that the refresh replaced')
  t.equal(await statusWith(third.access_token, '/projects/1/access_tokens'), 403)
  t.equal((await refresh(client, third.refresh_token)).body.scope, 'api read_user', 'for one access token only')
})

t.test('a refresh gives only scopes that the application still has', async t => {
  const { register, authorize, refresh, platform } = await openProvider(t)
  const client = await register()
  const first = await authorize(client, { scopes: ['api', 'read_user'] })
  const limitScopes = (scopes: string[]) => platform.pool.query('UPDATE oauth_applications SET scopes = $1', [scopes])

  await limitScopes(['read_user', 'email'])
  const { body: second } = await refresh(client, first.refresh_token)
  t.equal(second.scope, 'read_user')
  t.equal((await refresh(client, second.refresh_token, { scope: 'api' })).body.error, 'invalid_grant')
  await limitScopes(['email'])
  t.equal((await refresh(client, second.refresh_token)).body.error, 'invalid_grant')
})

t.test('a password gives an access token alone', async t => {
  const { register, post, app, call } = await openProvider(t)
  const client = await register()
  const form = { grant_type: 'password', username: 'root', password: rootPassword }

  for (const [more, headers] of [
    [{}, {}],
    [credentials(client), {}],
    [{}, basic(client)],
    [{}, { authorization: 'Basic Og==' }]
  ] as const) {
    const { status, body } = await post('token', { ...form, ...more }, headers)

    t.equal(status, 200)
    t.same(Object.keys(body).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
    t.equal(body.scope, 'api')
    t.equal((await app.inject(`/api/v4/user?access_token=${body.access_token}`)).json().username, 'root')
  }
  const ann = await aPerson(call, 'ann', { password: 'correct horse battery', force_random_password: false })
  const { body } = await post('token', { ...form, username: 'ANN@example.com', password: 'correct horse battery', scope: 'read_user' })

  t.same((await app.inject(`/api/v4/user?access_token=${body.access_token}`)).json().id, ann.id)
})

t.test('scopes of admins are granted to admins only, whichever the grant', async t => {
  const { register, post, approve, exchange, call } = await openProvider(t)
  const client = await register({ scopes: 'api sudo admin_mode read_user' })
  const password = 'correct horse battery'
  const form = { grant_type: 'password', username: 'ann', password }
  const refused = { error: 'invalid_scope', error_description: 'Only an administrator can grant sudo, admin_mode.' }

  await aPerson(call, 'ann', { password, force_random_password: false })
  for (const more of [{}, credentials(client)]) {
    t.hasStrict(await post('token', { ...form, ...more, scope: 'api sudo admin_mode' }), { status: 400, body: refused })
    t.equal((await post('token', { ...form, ...more, scope: 'api read_user' })).status, 200)
  }
  const code = await approve(client, { scopes: ['api', 'sudo', 'admin_mode'], username: 'ann' })

  t.hasStrict(await exchange(client, code), { status: 400, body: refused }, 'whose user was an admin when the code was issued')
  const { body } = await post('token', { ...form, username: 'root', password: rootPassword, scope: 'api sudo' })

  t.equal(body.scope, 'api sudo')
})

t.test('an application with client credentials acts for no user', async t => {
  const { register, post, statusWith, app } = await openProvider(t)
  const client = await register({ scopes: 'read_user' })
  const { status, body } = await post('token', { grant_type: 'client_credentials', scope: 'read_user' }, basic(client))

  t.equal(status, 200)
  t.same(Object.keys(body).sort(), ['access_token', 'created_at', 'expires_in', 'scope', 'token_type'])
  t.equal(body.scope, 'read_user')
  t.equal(await statusWith(body.access_token), 401)
  t.equal(await statusWith(body.access_token, '/projects'), 200, 'what anonymous callers see')
  const info = await app.inject(`/oauth/token/info?access_token=${body.access_token}`)

  t.equal(info.json().resource_owner_id, null)
})
