import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

const none = { emoji: null, message: null, message_html: '', availability: null, clear_status_at: null }

t.test('users set, change and clear their status, which everyone sees', async t => {
  const { call } = await openApp(t)
  const { token } = await aPerson(call, 'jane')
  const change = (method: 'PUT' | 'PATCH', body: object) => call(method, '/user/status', body, token)
  const current = async () => (await call('GET', '/user/status', undefined, token)).body

  t.same(await current(), none)
  const status = { emoji: 'coffee', message: '<b>Back</b> soon', availability: 'busy', clear_status_at: null }
  const shown = { ...status, message_html: '&lt;b&gt;Back&lt;/b&gt; soon' }
  t.same((await change('PUT', { emoji: 'coffee', message: '<b>Back</b> soon', availability: 'busy' })).body, shown)
  t.same(await current(), shown)
  t.same((await call('GET', '/users/jane/status', undefined, null)).body, shown)
  hasExactly(t, (await change('PATCH', { message: 'Away' })).body, { emoji: 'coffee', message: 'Away', availability: 'busy' })
  hasExactly(t, (await change('PUT', { message: 'Here' })).body, { emoji: 'speech_balloon', message: 'Here', availability: 'not_set' })
  hasExactly(t, (await change('PATCH', { message: null, emoji: '', availability: 'busy' })).body, { message: '', availability: 'busy' })
  t.same((await change('PUT', {})).body, none)
  t.same((await change('PUT', {})).body, none, 'twice is once')
  for (const body of [{ message: 'x'.repeat(101) }, { emoji: 'No Emoji' }, { availability: 'gone' }, { clear_status_after: '2_days' }]) {
    t.equal((await change('PUT', body)).status, 400)
  }
  t.equal((await call('GET', '/users/missing/status')).status, 404)
})

t.test('a status is cleared after the given time', async t => {
  const { call, platform } = await openApp(t)
  const before = Date.now()
  const { body } = await call('PUT', '/user/status', { message: 'Lunch', clear_status_after: '30_minutes' })
  const ms = Date.parse(body.clear_status_at) - before

  t.ok(ms >= 1_800_000 && ms < 1_800_000 + (Date.now() - before) + 1)
  hasExactly(t, (await call('PATCH', '/user/status', { emoji: 'tea' })).body, { clear_status_at: body.clear_status_at })
  await platform.pool.query(`UPDATE user_statuses SET clears_at = now() - interval '1 second'`)
  t.same((await call('GET', '/user/status')).body, none)
  hasExactly(t, (await call('PUT', '/user/status', { message: 'Back' })).body, { message: 'Back', clear_status_at: null })
})

t.test('admins record the identities of users at providers', async t => {
  const { call, platform } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane', { provider: 'ldap', extern_uid: 'uid=jane' })
  const joe = await aPerson(call, 'joe')
  const ldap = { provider: 'ldap', extern_uid: 'uid=jane', saml_provider_id: null }
  const search = async (query: string, by?: string) =>
    (await call('GET', `/users?${query}`, undefined, by)).body.map((user: { username: string }) => user.username)

  t.same((await call('GET', '/user', undefined, token)).body.identities, [ldap])
  t.same((await call('PUT', `/users/${id}`, { provider: 'saml', extern_uid: '7' })).body.identities, [
    ldap,
    { provider: 'saml', extern_uid: '7', saml_provider_id: null }
  ])
  t.same((await call('PUT', `/users/${id}`, { provider: 'saml', extern_uid: '8' })).body.identities[1].extern_uid, '8')
  t.same(await search('provider=ldap&extern_uid=uid%3Djane'), ['jane'])
  for (const query of ['provider=ldap&extern_uid=other', 'provider=ldap', 'extern_uid=8']) t.same(await search(query), [], query)
  t.same(await search('provider=ldap&extern_uid=uid%3Djane', token), [], 'others cannot find out identities')
  hasExactly(t, await call('PUT', `/users/${joe.id}`, { provider: 'saml', extern_uid: '8' }), {
    status: 400,
    body: { message: { 'identities.extern_uid': ['has already been taken'] } }
  })
  t.equal((await call('PUT', `/users/${joe.id}`, { provider: 'saml' })).status, 400)
  t.equal((await call('DELETE', `/users/${id}/identities/saml`)).status, 204)
  t.equal((await call('DELETE', `/users/${id}/identities/saml`)).status, 404)
  t.same((await call('GET', `/users/${id}`)).body.identities, [ldap])
  t.same((await platform.pool.query(`SELECT name FROM audit_events WHERE name ~ '^identity_' ORDER BY id`)).rows, [
    { name: 'identity_set' },
    { name: 'identity_set' },
    { name: 'identity_set' },
    { name: 'identity_removed' }
  ])
})
