import t from 'tap'
import { rootPassword } from '../support/world.ts'
import { basic, credentials, openProvider } from './provider.ts'

t.test('token info describes a token to its holder', async t => {
  const { register, authorize, app } = await openProvider(t)
  const client = await register()
  const { access_token: token, created_at: createdAt } = await authorize(client, { scopes: ['api', 'read_user'] })
  const response = await app.inject(`/oauth/token/info?access_token=${token}`)
  const { expires_in: seconds, expires_in_seconds: sameSeconds, ...info } = response.json()

  t.equal(response.statusCode, 200)
  t.equal(response.headers['cache-control'], 'no-store')
  t.same(info, {
    resource_owner_id: 1,
    scope: ['api', 'read_user'],
    application: { uid: client.client_id },
    created_at: createdAt,
    scopes: ['api', 'read_user']
  })
  t.ok(seconds > 0 && seconds <= 7200)
  t.equal(sameSeconds, seconds)
  t.equal((await app.inject({ url: '/oauth/token/info', headers: { authorization: `Bearer ${token}` } })).statusCode, 200)
})

t.test('token info says why a token is not valid', async t => {
  const { register, authorize, refresh, app, platform } = await openProvider(t)
  const client = await register()
  const revoked = await authorize(client)
  const expired = await authorize(client)
  const ask = async (query: string) => (await app.inject(`/oauth/token/info${query}`)).json()
  const because = (what: string) => ({ error: 'invalid_token', error_description: `The access token ${what}`, state: 'unauthorized' })

  await refresh(client, revoked.refresh_token)
  await platform.pool.query("UPDATE oauth_tokens SET expires_at = now() - interval '1 second'")
  t.same(await ask(''), because('is invalid'))
  t.same(await ask(`?access_token=${'0'.repeat(64)}`), because('is invalid'))
  t.same(await ask(`?access_token=${expired.refresh_token}`), because('is invalid'))
  t.same(await ask(`?access_token=${revoked.access_token}`), because('was revoked'))
  t.same(await ask(`?access_token=${expired.access_token}`), because('expired'))
  const response = await app.inject('/oauth/token/info')

  t.equal(response.statusCode, 401)
  t.equal(
    response.headers['www-authenticate'],
    'Bearer realm="Tocsin", error="invalid_token", error_description="The access token is invalid"'
  )
})

t.test('revoking either token ends both', async t => {
  const { register, authorize, refresh, post, statusWith, auditEvents } = await openProvider(t)
  const client = await register()

  for (const name of ['access_token', 'refresh_token']) {
    const tokens = await authorize(client)
    const form = { token: tokens[name], token_type_hint: name, ...credentials(client) }
    const { status, body } = await post('revoke', form)

    t.same([status, body], [200, {}])
    t.equal(await statusWith(tokens.access_token), 401)
    t.equal((await refresh(client, tokens.refresh_token)).body.error, 'invalid_grant')
    t.same((await post('revoke', form)).body, {}, 'again')
  }
  t.equal((await auditEvents('oauth_grant_revoked')).length, 2)
})

t.test('revoking a token that was refreshed ends its successors, too', async t => {
  const { register, authorize, refresh, post, statusWith } = await openProvider(t)
  const client = await register()
  const first = await authorize(client)
  const { body: second } = await refresh(client, first.refresh_token)

  t.equal((await post('revoke', { token: first.refresh_token }, basic(client))).status, 200)
  t.equal(await statusWith(second.access_token), 401)
})

t.test('only the client that a token was issued to revokes it', async t => {
  const { register, authorize, post, statusWith } = await openProvider(t)
  const client = await register()
  const other = await register()
  const open = await register({ confidential: 'false' })
  const { access_token: token } = await authorize(client)
  const denied = { error: 'unauthorized_client', error_description: 'You are not authorized to revoke this token' }
  const answer = async (form: Record<string, string>, headers = {}) => {
    const { status, body } = await post('revoke', form, headers)

    return [status, body]
  }

  t.same(await answer({ token }), [403, denied])
  t.same(await answer({ token, ...credentials(other) }), [403, denied])
  t.same(await answer({ token, client_id: open.client_id }), [403, denied])
  t.same((await answer({ token, ...credentials(client), client_secret: 'wrong' }))[0], 401)
  t.same((await answer({ token, client_id: client.client_id }))[0], 401)
  t.same((await answer(credentials(client)))[0], 400)
  t.same(await answer({ token: 'unknown', ...credentials(client) }), [200, {}])
  t.equal(await statusWith(token), 200)
})

t.test('any client revokes a token that was issued to none', async t => {
  const { register, post, statusWith } = await openProvider(t)
  const { body } = await post('token', { grant_type: 'password', username: 'root', password: rootPassword })

  t.equal(await statusWith(body.access_token), 200)
  t.equal((await post('revoke', { token: body.access_token, ...credentials(await register()) })).status, 200)
  t.equal(await statusWith(body.access_token), 401)
})

t.test('an application introspects its tokens', async t => {
  const { register, authorize, refresh, post } = await openProvider(t)
  const client = await register()
  const tokens = await authorize(client, { scopes: ['api', 'read_user'] })
  const ask = async (token: string, headers: Record<string, string> = basic(client)) => (await post('introspect', { token }, headers)).body
  const about = { active: true, scope: 'api read_user', client_id: client.client_id, sub: '1', iat: tokens.created_at }

  t.same(await ask(tokens.access_token), { ...about, token_type: 'bearer', exp: tokens.created_at + 7200 })
  t.same(await ask(tokens.refresh_token), about)
  t.same((await post('introspect', { token: tokens.access_token, ...credentials(client) })).body.active, true)

  const another = await authorize(client)

  t.equal((await ask(tokens.access_token, { authorization: `Bearer ${another.access_token}` })).active, true)
  await refresh(client, tokens.refresh_token)
  for (const token of [tokens.access_token, tokens.refresh_token, 'unknown']) t.same(await ask(token), { active: false })
})

t.test('introspection needs authorization, and says nothing of other tokens', async t => {
  const { register, authorize, post, platform } = await openProvider(t)
  const client = await register()
  const other = await register()
  const open = await register({ confidential: 'false' })
  const { access_token: token } = await authorize(client)
  const { access_token: foreign } = await authorize(other)
  const unauthorized = {
    error: 'invalid_request',
    error_description: 'Request needs to be authorized. Required parameter for authorizing request is missing or invalid.'
  }
  const ask = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
    const { status, body } = await post('introspect', form, headers)

    return [status, body.error ?? body]
  }

  t.same((await post('introspect', { token })).body, unauthorized)
  t.same(await ask({ token }, { authorization: `Bearer ${token}` }), [400, 'invalid_request'])
  t.same(await ask({ token }, { authorization: 'Bearer unknown' }), [401, 'invalid_token'])
  t.same(await ask({ token, client_id: open.client_id }), [401, 'invalid_client'])
  t.same(await ask({ token }, basic({ ...client, client_secret: 'wrong' })), [401, 'invalid_client'])
  t.same(await ask({}, basic(client)), [400, 'invalid_request'])
  t.same(await ask({ token }, basic(other)), [200, { active: false }])
  t.same(await ask({ token }, { authorization: `Bearer ${foreign}` }), [200, { active: false }])
  await platform.pool.query("UPDATE users SET state = 'blocked'")
  t.same(await ask({ token }, basic(client)), [200, { active: false }])
})
