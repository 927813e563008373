import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson, inDays } from './people.ts'

t.test('a token is created, shown, listed and revoked; its secret is returned once', async t => {
  const { call } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const { status, body: created } = await call(
    'POST',
    '/user/personal_access_tokens',
    { name: 'ci', description: 'For builds', scopes: ['read_api', 'read_user'], expires_at: inDays(30) },
    token
  )

  t.equal(status, 201)
  t.hasStrict(created, {
    name: 'ci',
    description: 'For builds',
    revoked: false,
    active: true,
    scopes: ['read_api', 'read_user'],
    user_id: id,
    last_used_at: null,
    expires_at: inDays(30)
  })
  t.match(created, { token: /^glpat-/ })
  const { token: secret, ...shown } = created

  t.same((await call('GET', `/personal_access_tokens/${created.id}`, undefined, token)).body, shown)
  t.same((await call('GET', '/personal_access_tokens/self', undefined, secret)).body.id, created.id)
  t.same(
    (await call('GET', '/personal_access_tokens', undefined, token)).body.map(({ name }: { name: string }) => name),
    ['ci', 'first']
  )
  t.equal((await call('DELETE', `/personal_access_tokens/${created.id}`, undefined, token)).status, 204)
  t.equal(
    (await call('DELETE', `/personal_access_tokens/${created.id}`, undefined, token)).status,
    204,
    'revoking it again changes nothing'
  )
  t.hasStrict((await call('GET', `/personal_access_tokens/${created.id}`, undefined, token)).body, { revoked: true, active: false })
  t.equal((await call('GET', '/user', undefined, secret)).status, 401)
})

t.test('a token can revoke itself with any scope', async t => {
  const { call } = await openApp(t)
  const { token } = await aPerson(call, 'jane', { scopes: ['read_repository'] })

  t.equal((await call('GET', '/personal_access_tokens/self', undefined, token)).status, 200)
  t.equal((await call('DELETE', '/personal_access_tokens/self', undefined, token)).status, 204)
  t.equal((await call('GET', '/personal_access_tokens/self', undefined, token)).status, 401)
})

t.test('only admins see and revoke the tokens of other users', async t => {
  const { call } = await openApp(t)
  const jane = await aPerson(call, 'jane')
  const joe = await aPerson(call, 'joe')
  const { body: hidden } = await call('POST', `/users/${jane.id}/impersonation_tokens`, { name: 'i', scopes: ['api'] })

  for (const id of [joe.tokenId, hidden.id, 4711]) {
    t.hasStrict(await call('GET', `/personal_access_tokens/${id}`, undefined, jane.token), {
      status: 404,
      body: { message: '404 Personal Access Token Not Found' }
    })
    t.equal((await call('DELETE', `/personal_access_tokens/${id}`, undefined, jane.token)).status, 404)
    t.equal((await call('POST', `/personal_access_tokens/${id}/rotate`, undefined, jane.token)).status, 404)
  }
  t.equal((await call('GET', `/personal_access_tokens?user_id=${joe.id}`, undefined, jane.token)).status, 401)
  t.equal((await call('GET', `/personal_access_tokens?user_id=${jane.id}`, undefined, jane.token)).body.length, 1)
  t.equal((await call('GET', '/personal_access_tokens')).body.length, 3, 'of all users')
  hasExactly(t, (await call('GET', `/personal_access_tokens?user_id=${joe.id}`)).body, [{ id: joe.tokenId }])
  t.equal((await call('DELETE', `/personal_access_tokens/${joe.tokenId}`)).status, 204)
})

t.test('a list of tokens is filtered and sorted', async t => {
  const { call, platform } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const names = async (query: string) =>
    (await call('GET', `/personal_access_tokens?${query}`, undefined, token)).body.map((found: { name: string }) => found.name)
  const make = async (name: string, days: number) =>
    (await call('POST', `/users/${id}/personal_access_tokens`, { name, scopes: ['api'], expires_at: inDays(days) })).body.id

  await make('50%_b', 3)
  await make('a', 2)
  const over = await make('c', 1)
  await platform.pool.query(`UPDATE access_tokens SET created_at = '2020-01-01', expires_at = '2020-06-01' WHERE id = $1`, [over])
  await call('DELETE', `/personal_access_tokens/${await make('d', 9)}`, undefined, token)

  t.same(await names('sort=name_asc'), ['50%_b', 'a', 'c', 'd', 'first'])
  t.same(await names('sort=expires_asc&per_page=2'), ['c', 'a'])
  t.same(await names('sort=expires_asc&per_page=2&page=2'), ['50%_b', 'd'])
  t.same(await names('state=active&sort=name_asc'), ['50%_b', 'a', 'first'])
  t.same(await names('state=inactive&sort=name_asc'), ['c', 'd'])
  t.same(await names('revoked=true'), ['d'])
  t.same(await names('revoked=false&sort=name_desc'), ['first', 'c', 'a', '50%_b'])
  t.same(await names('search=%25_'), ['50%_b'], 'wildcards are escaped')
  t.same(await names('created_before=2021-01-01T00:00:00Z'), ['c'])
  t.same(await names('created_after=2021-01-01T00:00:00Z&sort=name_asc'), ['50%_b', 'a', 'd', 'first'])
  t.same(await names('last_used_after=2021-01-01T00:00:00Z'), ['first'])
  t.same(await names(`expires_before=${inDays(3)}&expires_after=2021-01-01`), ['a'])
  t.equal((await call('GET', '/personal_access_tokens?sort=odd', undefined, token)).status, 400)
})

t.test('a token expires after 365 days by default and 400 days at most', async t => {
  const { call } = await openApp(t)
  const make = (expires_at?: string | null) => call('POST', '/user/personal_access_tokens', { name: 't', scopes: ['api'], expires_at })

  t.equal((await make()).body.expires_at, inDays(365))
  t.equal((await make(null)).body.expires_at, inDays(365))
  t.equal((await make(inDays(400))).body.expires_at, inDays(400))
  hasExactly(t, await make(inDays(401)), { status: 400, body: { message: { expires_at: ['must be at most 400 days from now'] } } })
  hasExactly(t, await make(inDays(-1)), { status: 400, body: { message: { expires_at: ['must not be in the past'] } } })
  t.hasStrict(await make(inDays(0)), { status: 201, body: { active: false } }, 'as in GitLab, a token can expire at once')
  t.hasStrict(await make('2027-13-45'), { status: 400, body: { error: 'expires_at is invalid' } })
  t.hasStrict(await make('soon'), { status: 400 })
})

t.test('a token has known scopes that its user and its creator may grant', async t => {
  const { call } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const { body: weak } = await call('POST', '/users/1/personal_access_tokens', { name: 'weak', scopes: ['api'] })
  const make = (scopes: unknown, by = rootToken) => call('POST', '/user/personal_access_tokens', { name: 't', scopes }, by)
  const unavailable = { status: 400, body: { message: { scopes: ['can only contain available scopes'] } } }

  t.hasStrict(await make(['everything']), unavailable)
  hasExactly(t, await make([]), { status: 400, body: { message: { scopes: ["can't be blank"] } } })
  t.hasStrict(await make(undefined), { status: 400, body: { error: 'scopes is missing' } })
  for (const scope of ['sudo', 'admin_mode']) {
    t.hasStrict(await make([scope], token), { status: 400 })
    t.hasStrict(await call('POST', `/users/${id}/personal_access_tokens`, { name: 't', scopes: [scope] }), unavailable)
    hasExactly(t, await make([scope], weak.token), {
      status: 400,
      body: { message: { scopes: ['cannot go beyond those of the token in use'] } }
    })
  }
  hasExactly(t, await make(['api', 'sudo', 'api']), { status: 201, body: { scopes: ['api', 'sudo'] } })
  t.hasStrict(await make(['k8s_proxy', 'self_rotate', 'create_runner'], token), { status: 201 })
})

t.test('token events are in the audit log without secrets', async t => {
  const { call, platform } = await openApp(t)
  const { body: made } = await call('POST', '/user/personal_access_tokens', { name: 'ci', scopes: ['api'] })
  const { body: next } = await call('POST', `/personal_access_tokens/${made.id}/rotate`)

  await call('DELETE', `/personal_access_tokens/${next.id}`)
  await call('POST', '/users/1/impersonation_tokens', { name: 'i', scopes: ['api'] })
  const { rows } = await platform.pool.query(
    `SELECT name, entity_type, entity_id, details FROM audit_events WHERE name LIKE '%token%' ORDER BY id`
  )

  t.same(
    rows.map(row => row.name),
    ['personal_access_token_created', 'personal_access_token_rotated', 'personal_access_token_revoked', 'impersonation_token_created']
  )
  hasExactly(t, rows[0], { entity_type: 'User', entity_id: 1, details: { target_id: made.id, target_details: 'ci', scopes: ['api'] } })
  t.notMatch(JSON.stringify(rows), made.token)
})
