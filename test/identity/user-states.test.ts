import t from 'tap'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

const password = 'long enough'

async function anAccount(t: Parameters<typeof openApp>[0]) {
  const { app, call, platform } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane', { password, force_random_password: undefined })
  const signIn = async () => {
    const payload = new URLSearchParams({ login: 'jane', password }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }

    return (await app.inject({ method: 'POST', url: '/users/sign_in', payload, headers })).statusCode
  }
  const change = async (verb: string) => {
    const { status, body } = await call('POST', `/users/${id}/${verb}`)

    return [status, body.message ?? body]
  }
  const state = async () => (await call('GET', `/users/${id}`)).body.state
  const audited = async () =>
    (await platform.pool.query(`SELECT name FROM audit_events WHERE name ~ 'user_(un)?(ban|block|(de)?activat)' ORDER BY id`)).rows.map(
      ({ name }) => name
    )

  return { app, call, platform, id, token, signIn, change, state, audited }
}

t.test('a banned user cannot sign in or use tokens until unbanned', async t => {
  const { call, token, signIn, change, state, audited } = await anAccount(t)

  t.same(await change('unban'), [403, '403 Forbidden - You cannot unban active users.'])
  t.same(await change('ban'), [201, true])
  t.equal(await state(), 'banned')
  t.equal((await call('GET', '/user', undefined, token)).status, 403)
  t.equal(await signIn(), 401)
  t.same(await change('ban'), [403, '403 Forbidden - You cannot ban banned users.'])
  t.same(await change('unblock'), [403, '403 Forbidden - You cannot unblock banned users.'])
  t.same(await change('unban'), [201, true])
  t.equal(await state(), 'active')
  t.equal((await call('GET', '/user', undefined, token)).status, 200)
  t.equal(await signIn(), 303)
  t.same(await audited(), ['user_banned', 'user_unbanned'])
})

t.test('a deactivated user cannot use tokens, and is active again after signing in', async t => {
  const { call, platform, id, token, signIn, change, state, audited } = await anAccount(t)

  t.same(await change('deactivate'), [201, true])
  t.same(await change('deactivate'), [201, true])
  t.equal(await state(), 'deactivated')
  t.hasStrict(await call('GET', '/user', undefined, token), {
    status: 403,
    body: { message: '403 Forbidden - Your account has been deactivated. Sign in with a browser to reactivate it.' }
  })
  t.same(await change('activate'), [201, true])
  t.same(await change('activate'), [201, false])
  t.same(await change('deactivate'), [201, true])
  t.equal(await signIn(), 303)
  t.equal(await state(), 'active')
  t.same(await audited(), ['user_deactivated', 'user_activated', 'user_deactivated', 'user_activated'])

  const recent = 'The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated'
  t.same(await change('deactivate'), [403, `403 Forbidden - ${recent}`])
  await platform.pool.query(
    `UPDATE users SET last_activity_on = current_date - 91, current_sign_in_at = now() - interval '91 days' WHERE id = $1`,
    [id]
  )
  t.same(await change('deactivate'), [201, true])
  t.same(await change('block'), [201, true])
  t.same(await change('activate'), [403, '403 Forbidden - You cannot activate blocked users.'])
  t.equal(await signIn(), 401)
})

t.test('the last owner of a group, the last admin and the caller stay active', async t => {
  const { call, id, change } = await anAccount(t)
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'shops' })

  await call('POST', `/groups/${group.id}/members`, { user_id: id, access_level: 50 })
  await call('DELETE', `/groups/${group.id}/members/1`)
  for (const verb of ['ban', 'deactivate']) t.same(await change(verb), [409, '409 Conflict - the user is the last owner of a group'])
  t.hasStrict(await call('POST', '/users/1/ban'), {
    status: 403,
    body: { message: '403 Forbidden - The API initiating user cannot be banned by the API' }
  })
})

t.test('admins list the memberships of a user', async t => {
  const { call, id, token } = await anAccount(t)
  const { body: group } = await call('POST', '/groups', { name: 'Shops', path: 'shops' })
  const { body: project } = await call('POST', '/projects', { name: 'Till' })

  await call('POST', `/groups/${group.id}/members`, { user_id: id, access_level: 50 })
  await call('POST', `/projects/${project.id}/members`, { user_id: id, access_level: 30 })
  const ofGroup = { source_id: group.id, source_name: 'Shops', source_type: 'Namespace', access_level: 50 }
  const ofProject = { source_id: project.id, source_name: 'Till', source_type: 'Project', access_level: 30 }
  const memberships = `/users/${id}/memberships`

  t.same((await call('GET', memberships)).body, [ofGroup, ofProject])
  t.same((await call('GET', `${memberships}?type=Project`)).body, [ofProject])
  t.same((await call('GET', `${memberships}?type=Namespace`)).body, [ofGroup])
  t.hasStrict(await call('GET', `${memberships}?type=Invalid`), { status: 400, body: { error: 'type does not have a valid value' } })
  t.hasStrict((await call('GET', `${memberships}?per_page=1&page=2`)).headers, { 'x-total': '2', 'x-page': '2' })
  t.equal((await call('GET', memberships, undefined, token)).status, 403)
  t.equal((await call('GET', '/users/4711/memberships')).status, 404)
})
