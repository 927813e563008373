import t, { type Test } from 'tap'
import { allRoutesOf } from '../api/routes.ts'
import { anApplication, authorizeUrl } from '../oauth/authorizing.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

async function openImpersonation(t: Test, env: Record<string, string> = {}) {
  const world = await openApp(t, { env })
  const ann = await aMember(world, 'ann')
  const root = new Visitor(world.app)

  await root.signIn()
  await root.get(`/admin/users/${ann.id}`)
  const events = async () =>
    (
      await world.platform.pool.query(
        `SELECT name, author_id AS by, entity_id AS of FROM audit_events WHERE name ~ '^impersonation' ORDER BY audit_events.id`
      )
    ).rows

  return { ...world, ann, root, events, start: (id = ann.id) => root.post(`/admin/users/${id}/impersonation`) }
}

t.test('an admin sees the pages as another user, under a banner, until they stop', async t => {
  const { root, ann, start, events, platform } = await openImpersonation(t)
  const former = root.cookies._service_session

  t.match((await root.get(`/admin/users/${ann.id}`)).body, /Impersonate @ann/)
  t.hasStrict(await start(), { statusCode: 303, headers: { location: '/' } })
  t.not(root.cookies._service_session, former, 'forms that the admin had open have expired')
  for (const page of ['/', '/-/profile', '/projects', '/nowhere', '/admin/users'])
    t.match((await root.get(page)).body, /You are <strong>@root<\/strong>, impersonating <strong>@ann<[\s\S]+Stop impersonating/, page)
  t.equal((await root.get('/admin/users')).statusCode, 403)
  t.match((await root.get('/-/profile')).body, /value="Name of ann"/)
  await root.get('/-/profile')
  t.equal((await root.post('/-/profile', { name: 'Ann Lee' })).statusCode, 303)
  const { rows } = await platform.pool.query(
    `SELECT author_id, details->>'impersonated_by' AS by FROM audit_events WHERE name = 'user_updated'`
  )
  t.same(rows, [{ author_id: ann.id, by: 'root' }])

  t.hasStrict(await root.post('/-/impersonation/end'), { statusCode: 303, headers: { location: `/admin/users/${ann.id}` } })
  t.equal((await root.get('/admin/users')).statusCode, 200, 'the session of the admin is their own again')
  t.notMatch((await root.get('/')).body, /impersonating/)
  t.equal((await root.post('/-/impersonation/end')).headers.location, '/', 'stopping twice changes nothing')
  t.same(await events(), [
    { name: 'impersonation_started', by: 1, of: ann.id },
    { name: 'impersonation_ended', by: 1, of: ann.id }
  ])
  t.equal((await ann.get('/-/profile')).statusCode, 200, 'the user stays signed in')
})

t.test('who impersonates a user cannot touch password, second factor, addresses, sessions and tokens', async t => {
  const { app, root, start, platform } = await openImpersonation(t)
  const allowed = /^\/-\/profile(\/notifications.*)?$/
  const pages = allRoutesOf(app).filter(route => / \/-\/profile/.test(route) && !allowed.test(route.split(' ')[1]!))
  const { client_id: id } = await anApplication(platform)

  await start()
  await root.get('/')
  t.ok(pages.length >= 20, 'routes were found')
  for (const route of [...pages, 'POST /users/password', 'GET /users/password', `GET ${authorizeUrl(id)}`]) {
    const [method, url] = route.split(' ') as ['GET' | 'POST', string]
    const path = url.replaceAll(/:\w+(\([^)]*\))?/g, '1')
    const { statusCode, body } = method === 'GET' ? await root.get(path) : await root.post(path)

    t.equal(statusCode, 403, route)
    t.match(body, /Not available while you impersonate a user/, route)
  }
})

t.test('who impersonates a user reads the API, but does not write', async t => {
  const { app, root, start } = await openImpersonation(t)
  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.inject({ method, url: `/api/v4${url}`, payload, cookies: root.cookies, headers: { 'sec-fetch-site': 'same-origin' } })

  await start()
  t.equal((await ask('GET', '/user')).json().username, 'ann')
  t.same((await ask('POST', '/user/personal_access_tokens', { name: 'mine', scopes: ['api'] })).json(), {
    message: '403 Forbidden - Not available while you impersonate a user'
  })
  t.equal((await ask('POST', '/user/emails', { email: 'root@evil.example' })).statusCode, 403)
  t.equal((await ask('POST', '/projects', { name: 'Shop' })).statusCode, 403)
})

t.test('admins, bots, blocked users and oneself cannot be impersonated', async t => {
  const world = await openImpersonation(t)
  const { root, call, platform, start, events } = world
  const refused = { statusCode: 400, body: /Only active users who are not admins can be impersonated/ }
  const [boss, blocked, bot] = await Promise.all([{ admin: true }, {}, {}].map((attributes, n) => aMember(world, `user${n}`, attributes)))

  await call('POST', `/users/${blocked!.id}/block`)
  await platform.pool.query(`UPDATE users SET kind = 'project_bot' WHERE id = $1`, [bot!.id])
  for (const id of [1, boss!.id, blocked!.id, bot!.id]) t.match(await start(id), refused)
  t.equal((await start(999_999)).statusCode, 404)
  t.notMatch((await root.get(`/admin/users/${boss!.id}`)).body, /Impersonate @/)
  t.same(await events(), [])
})

t.test('it ends with the rights of the admin, and with those of the user', async t => {
  const { root, ann, start, call, platform, events } = await openImpersonation(t)
  const isAnn = async () => (await root.get('/')).body.includes('impersonating')

  await start()
  t.ok(await isAnn())
  await call('POST', `/users/${ann.id}/block`)
  t.notOk(await isAnn(), 'blocked')
  t.equal((await root.get(`/admin/users/${ann.id}`)).statusCode, 200)
  await call('POST', `/users/${ann.id}/unblock`)
  t.ok(await isAnn())
  await platform.pool.query('UPDATE users SET is_admin = false WHERE id = 1')
  t.notOk(await isAnn(), 'demoted')
  await platform.pool.query('UPDATE users SET is_admin = true WHERE id = 1')
  await root.get('/')
  t.equal((await root.post('/users/sign_out')).statusCode, 303)
  t.same((await events()).at(-1), { name: 'impersonation_ended', by: 1, of: ann.id }, 'signing out ends it')
  t.equal((await root.get('/-/profile')).statusCode, 401)
})

t.test('a user with a one-time password can be impersonated, and keeps it', async t => {
  const { root, ann, start, platform } = await openImpersonation(t)

  await platform.pool.query('UPDATE users SET must_change_password = true WHERE id = $1', [ann.id])
  await start()
  t.equal((await root.get('/-/profile')).statusCode, 200)
})

t.test('IMPERSONATION_ENABLED=false keeps admins from it', async t => {
  const { root, ann, start } = await openImpersonation(t, { IMPERSONATION_ENABLED: 'false' })

  t.notMatch((await root.get(`/admin/users/${ann.id}`)).body, /Impersonate @/)
  t.equal((await start()).statusCode, 404)
})
