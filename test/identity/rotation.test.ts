import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson, inDays } from './people.ts'

t.test('a rotated token differs only in its secret and expiry', async t => {
  const { call } = await openApp(t)
  const { token, tokenId, id } = await aPerson(call, 'jane', { scopes: ['api', 'read_user'] })
  const { status, body: next } = await call('POST', `/personal_access_tokens/${tokenId}/rotate`, undefined, token)

  t.equal(status, 201)
  t.hasStrict(next, { name: 'first', scopes: ['api', 'read_user'], user_id: id, active: true, expires_at: inDays(7) })
  t.match(next, { token: /^glpat-/ })
  t.not(next.id, tokenId)
  t.equal((await call('GET', '/user', undefined, token)).status, 401, 'the former token is revoked')
  t.equal((await call('GET', '/user', undefined, next.token)).status, 200)

  const { body: third } = await call('POST', '/personal_access_tokens/self/rotate', { expires_at: inDays(90) }, next.token)
  t.equal(third.expires_at, inDays(90))
  t.hasStrict(await call('POST', '/personal_access_tokens/self/rotate', { expires_at: inDays(500) }, third.token), { status: 400 })
})

t.test('rotating with a revoked token revokes all of its successors', async t => {
  const { call, platform } = await openApp(t)
  const { token } = await aPerson(call, 'jane')
  const rotate = (by: string) => call('POST', '/personal_access_tokens/self/rotate', undefined, by)
  const second = (await rotate(token)).body
  const third = (await rotate(second.token)).body

  t.equal((await call('GET', '/user', undefined, token)).status, 401)
  t.equal(
    (await call('GET', '/user', undefined, third.token)).status,
    200,
    'using a revoked token otherwise does not revoke its successors'
  )
  const reused = await rotate(second.token)
  t.hasStrict(reused, { status: 401, body: { error: 'invalid_token' } })
  t.match(reused.body.error_description, /revoked/)
  t.equal((await call('GET', '/user', undefined, third.token)).status, 401)

  const { rows } = await platform.pool.query(`SELECT details FROM audit_events WHERE name = 'personal_access_token_family_revoked'`)
  hasExactly(t, rows, [{ details: { author_username: 'jane', target_id: second.id } }])
  await rotate(token)
  t.equal((await platform.pool.query(`SELECT 1 FROM audit_events WHERE name ~ 'family'`)).rowCount, 1, 'the second attempt changes nothing')
})

t.test('one of several concurrent rotations wins', async t => {
  const { call } = await openApp(t)
  const { tokenId } = await aPerson(call, 'jane')
  const answers = await Promise.all([1, 2, 3].map(() => call('POST', `/personal_access_tokens/${tokenId}/rotate`)))

  t.same(answers.map(({ status }) => status).sort(), [201, 400, 400])
  t.hasStrict(
    answers.find(({ status }) => status === 400),
    { body: { message: '400 Bad request - Token already revoked' } }
  )
})

t.test('with the scope self_rotate, a token rotates only itself', async t => {
  const { call } = await openApp(t)
  const { id, tokenId } = await aPerson(call, 'jane')
  const { body: own } = await call('POST', `/users/${id}/personal_access_tokens`, { name: 'own', scopes: ['self_rotate'] })

  t.hasStrict(await call('POST', `/personal_access_tokens/${tokenId}/rotate`, undefined, own.token), {
    status: 403,
    body: { error: 'insufficient_scope', scope: 'api' }
  })
  const { status, body: next } = await call('POST', `/personal_access_tokens/${own.id}/rotate`, undefined, own.token)
  t.equal(status, 201)
  t.equal((await call('POST', '/personal_access_tokens/self/rotate', undefined, next.token)).status, 201)
})

t.test('an expired or unknown token cannot be rotated', async t => {
  const { call, platform, app } = await openApp(t)
  const { tokenId } = await aPerson(call, 'jane')

  await platform.pool.query(`UPDATE access_tokens SET expires_at = now() WHERE id = $1`, [tokenId])
  t.match(await call('POST', `/personal_access_tokens/${tokenId}/rotate`), { status: 400, body: { message: /already expired/ } })
  t.equal((await call('POST', '/personal_access_tokens/4711/rotate')).status, 404)
  t.equal((await app.inject({ url: `/api/v4/personal_access_tokens/self?private_token=${rootToken}` })).statusCode, 200)
})
