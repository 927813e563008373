import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

const jane = { username: 'jane', name: 'Jane', email: 'jane@example.com', password: 'long enough' }
const signIn = (app: Awaited<ReturnType<typeof openApp>>['app'], login: string, password: string) =>
  app.inject({
    method: 'POST',
    url: '/users/sign_in',
    payload: new URLSearchParams({ login, password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })

t.test('a new user has a personal namespace and can sign in', async t => {
  const { app, call, platform } = await openApp(t)
  const { status, body } = await call('POST', '/users', { ...jane, admin: true, external: true, note: 'new', skip_confirmation: true })

  t.equal(status, 201)
  t.hasStrict(body, { username: 'jane', email: 'jane@example.com', is_admin: true, external: true, note: 'new', state: 'active' })
  t.equal((await signIn(app, 'jane', 'long enough')).statusCode, 303)
  const { rows } = await platform.pool.query('SELECT kind, name, full_path FROM namespaces WHERE owner_id = $1', [body.id])
  t.same(rows, [{ kind: 'user', name: 'Jane', full_path: 'jane' }])
  const audited = await platform.pool.query(`SELECT entity_id, details FROM audit_events WHERE name = 'user_created'`)
  hasExactly(t, audited.rows, [{ entity_id: body.id, details: { author_username: 'root', entity_path: 'jane' } }])
})

t.test('a common password, or little more than a name, is refused wherever an admin sets one', async t => {
  const { call } = await openApp(t)
  const guessable = [
    'password1',
    'PASSWORD1',
    'trustno1',
    '12345678',
    '24121999',
    'tocsin2026',
    'Summer2026!',
    'Jane-2026',
    'janedoe1',
    'jane@example.com',
    'Janeiloveyou'
  ]
  const accepted = ['jane likes walking', 'tocsin rings at dawn', 'correct horse battery']
  const [name, username, email] = ['Jane Doe', 'jane', 'jane@example.com']
  const refused = { status: 400, body: { message: { password: ['must not contain commonly used combinations of words and letters'] } } }

  for (const password of guessable) hasExactly(t, await call('POST', '/users', { name, username, email, password }), refused, password)
  const { body: user } = await call('POST', '/users', { name, username, email, password: accepted[0]! })
  for (const password of guessable) hasExactly(t, await call('PUT', `/users/${user.id}`, { password }), refused, password)
  for (const password of accepted) t.equal((await call('PUT', `/users/${user.id}`, { password })).status, 200, password)
  hasExactly(t, await call('PUT', `/users/${user.id}`, { username: 'ernest', password: 'ernest99' }), refused, 'the new username')
})

t.test('an invalid new user is refused with the reason', async t => {
  const { call, platform } = await openApp(t)
  const create = (change: object) => call('POST', '/users', { ...jane, ...change })
  const { password, ...withoutPassword } = jane

  await platform.pool.query(`INSERT INTO namespaces (kind, name, path, full_path) VALUES ('group', 'G', 'shops', 'shops')`)
  t.match(await call('POST', '/users', { name: 'x' }), { status: 400, body: { error: /^email is missing/ } })
  t.hasStrict(await call('POST', '/users', withoutPassword), {
    status: 400,
    body: { error: 'password, reset_password, force_random_password are missing, at least one parameter must be provided' }
  })
  hasExactly(t, await create({ password: 'short' }), { body: { message: { password: ['is too short (minimum is 8 characters)'] } } })
  hasExactly(t, await create({ email: 'nowhere' }), { status: 400, body: { message: { email: ['is invalid'] } } })
  hasExactly(t, await create({ website_url: 'javascript:alert(1)' }), { body: { message: { website_url: ['is not a valid URL'] } } })
  hasExactly(t, await create({ public_email: 'root@localhost' }), { body: { message: { public_email: ['is not an email you own'] } } })
  for (const username of ['-x', 'a b', 'a/b', 'x.git', 'x.', 'Ünï', '..', '.']) {
    t.match(await create({ username }), { status: 400, body: { message: { username: [/can contain only/] } } }, username)
  }
  hasExactly(t, await create({ username: 'API' }), { status: 400, body: { message: { username: ['API is a reserved name'] } } })
  t.hasStrict(await create({ username: 'ROOT' }), { status: 409, body: { message: 'Username has already been taken' } })
  t.hasStrict(await create({ username: 'Shops' }), { status: 409, body: { message: 'Username has already been taken' } })
  t.hasStrict(await create({ email: 'Root@localhost' }), { status: 409, body: { message: 'Email has already been taken' } })
  t.equal((await platform.pool.query('SELECT 1 FROM users')).rowCount, 1, 'a refused user is not stored')
})

t.test('a user without a password cannot sign in', async t => {
  const { app, call } = await openApp(t)

  await aPerson(call, 'jane')
  for (const password of ['', 'jane']) t.equal((await signIn(app, 'jane', password)).statusCode, 401)
})

t.test('one of several concurrent requests gets a username', async t => {
  const { call } = await openApp(t)
  const answers = await Promise.all([1, 2, 3].map(n => call('POST', '/users', { ...jane, email: `${n}@example.com` })))

  t.same(answers.map(({ status }) => status).sort(), [201, 409, 409])
})

t.test('null makes a private profile public', async t => {
  const { call } = await openApp(t)
  const { body } = await call('POST', '/users', { ...jane, private_profile: null })
  const change = async (private_profile: unknown) => call('PUT', `/users/${body.id}`, { private_profile })

  t.equal(body.private_profile, false)
  t.hasStrict(await change(true), { body: { private_profile: true } })
  t.hasStrict(await call('PUT', `/users/${body.id}`, { bio: 'x' }), { body: { private_profile: true } })
  t.hasStrict(await change(null), { body: { private_profile: false } })
  t.hasStrict(await change('perhaps'), { status: 400 })
})

t.test('an update changes only the given attributes', async t => {
  const { app, call, platform } = await openApp(t)
  const { body: created } = await call('POST', '/users', { ...jane, public_email: jane.email, bio: 'Writes', can_create_group: false })
  const change = (attributes: object) => call('PUT', `/users/${created.id}`, attributes)

  t.hasStrict(await change({ name: 'Jane D', location: 'Here' }), {
    status: 200,
    body: { name: 'Jane D', location: 'Here', bio: 'Writes', can_create_group: false, email: jane.email, public_email: jane.email }
  })
  t.hasStrict(await change({ email: 'new@example.com' }), { body: { email: 'new@example.com', public_email: null } })
  t.hasStrict(await change({ email: 'root@localhost' }), { status: 409, body: { message: 'Email has already been taken' } })
  t.hasStrict(await change({ note: 'x' }), { body: { note: 'x' } })
  t.hasStrict(await change({ admin: true }), { body: { is_admin: true } })
  t.equal((await call('PUT', '/users/4711', { bio: '' })).status, 404)
  t.equal((await change({})).status, 200)

  const session = (await signIn(app, 'jane', jane.password)).cookies[0]!.value
  t.equal((await change({ password: 'another one' })).status, 200)
  t.equal((await app.inject({ url: '/api/v4/user', cookies: { _service_session: session } })).statusCode, 401, 'all sessions are ended')
  t.match((await signIn(app, 'jane', 'another one')).headers.location, /^\/users\/password/, 'a password set by an admin must be changed')

  const { rows } = await platform.pool.query(`SELECT details FROM audit_events WHERE name = 'user_updated' ORDER BY id`)
  t.equal(rows.length, 5)
  t.hasStrict(rows[0].details, { changes: { name: { from: 'Jane', to: 'Jane D' } } })
  t.hasStrict(rows[4].details, { password_changed: true })
  t.notMatch(JSON.stringify(rows), /another one|argon2/)
})

t.test('a new username moves the projects and redirects the former paths', async t => {
  const { call, platform } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane', { name: 'Jane' })
  const { body: shop } = await call('POST', '/projects', { name: 'Shop' }, token)
  const rename = (username: string) => call('PUT', `/users/${id}`, { username })
  const redirects = async () => (await platform.pool.query('SELECT full_path, project_id FROM redirects ORDER BY full_path')).rows
  const path = async () => (await call('GET', `/projects/${shop.id}`)).body.path_with_namespace

  t.hasStrict(await rename('janet'), { status: 200, body: { username: 'janet', web_url: 'http://tocsin.test/janet' } })
  t.equal(await path(), 'janet/shop')
  t.same(await redirects(), [
    { full_path: 'jane', project_id: null },
    { full_path: 'jane/shop', project_id: shop.id }
  ])
  hasExactly(t, (await platform.pool.query('SELECT path, full_path, name FROM namespaces WHERE owner_id = $1', [id])).rows, [
    { path: 'janet', full_path: 'janet', name: 'Jane' }
  ])

  t.equal((await rename('Janet')).status, 200, 'a change of case is not a new path')
  t.equal((await redirects()).length, 2)
  t.equal((await rename('jane')).status, 200)
  t.equal((await rename('janet')).status, 200, 'a username can change back and forth')
  t.equal(await path(), 'janet/shop')
  t.same(
    (await redirects()).map(row => row.full_path),
    ['jane', 'jane/shop'],
    'a path in use does not redirect'
  )
  await aPerson(call, 'JANE', { email: 'other@example.com' })
  t.same(
    (await redirects()).map(row => row.full_path),
    ['jane/shop'],
    'a new user with the former username replaces its redirect'
  )
  t.hasStrict(await rename('root'), { status: 409, body: { message: 'Username has already been taken' } })
  t.hasStrict(await rename('no way'), { status: 400 })
  t.equal(await path(), 'janet/shop')
})

t.test('a user is blocked and unblocked; doing it twice changes nothing', async t => {
  const { app, call, platform } = await openApp(t)
  const { body: created } = await call('POST', '/users', jane)
  const session = (await signIn(app, 'jane', jane.password)).cookies[0]!.value

  for (const body of [true, null]) t.hasStrict(await call('POST', `/users/${created.id}/block`), { status: 201, body })
  t.hasStrict((await call('GET', `/users/${created.id}`)).body, { state: 'blocked' })
  t.equal((await app.inject({ url: '/api/v4/user', cookies: { _service_session: session } })).statusCode, 401)
  t.equal((await signIn(app, 'jane', jane.password)).statusCode, 401)
  for (const body of [true, false]) t.hasStrict(await call('POST', `/users/${created.id}/unblock`), { status: 201, body })
  t.equal((await signIn(app, 'jane', jane.password)).statusCode, 303)
  t.equal((await call('POST', '/users/4711/block')).status, 404)

  const { rows } = await platform.pool.query(`SELECT name FROM audit_events WHERE name ~ 'block' ORDER BY id`)
  t.same(rows, [{ name: 'user_blocked' }, { name: 'user_unblocked' }])
})

t.test('the last admin cannot be deleted or demoted', async t => {
  const { call } = await openApp(t)
  const last = (change: string) => ({ status: 400, body: { message: `400 Bad request - The last admin cannot be ${change}` } })

  t.hasStrict(await call('DELETE', '/users/1', { hard_delete: true }), last('deleted'))
  t.hasStrict(await call('PUT', '/users/1', { admin: false }), last('demoted'))

  const other = await aPerson(call, 'jane', { admin: true })
  t.hasStrict(await call('POST', '/users/1/block'), {
    status: 403,
    body: { message: '403 Forbidden - The API initiating user cannot be blocked by the API' }
  })
  const answers = await Promise.all([
    call('PUT', `/users/${other.id}`, { admin: false }, rootToken),
    call('PUT', '/users/1', { admin: false }, other.token)
  ])
  // The second demotion is refused: by the rule, or because its token belongs to a user who is no longer an admin.
  t.equal(answers.filter(({ status }) => status === 200).length, 1, 'two admins cannot demote each other at once')
})

t.test('deleting a user deletes their projects only with hard_delete', async t => {
  const { call, platform } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const { body: project } = await call('POST', '/projects', { name: 'Shop' }, token)

  t.match(await call('DELETE', `/users/${id}`), { status: 409, body: { message: /User cannot be removed: has projects of their own/ } })
  t.equal((await call('GET', `/projects/${project.id}`)).status, 200)
  t.equal((await call('DELETE', `/users/${id}?hard_delete=true`)).status, 204)
  t.equal((await call('GET', `/projects/${project.id}`)).status, 404)
  t.equal((await call('GET', `/users/${id}`)).status, 404)
  t.equal((await call('DELETE', `/users/${id}`)).status, 404)
  t.equal((await call('GET', '/user', undefined, token)).status, 401)
  hasExactly(t, (await platform.pool.query(`SELECT entity_id, details FROM audit_events WHERE name = 'user_deleted'`)).rows, [
    { entity_id: id, details: { entity_path: 'jane' } }
  ])
})

t.test('the last usable owner of a group can be neither deleted nor blocked', async t => {
  const { call, platform } = await openApp(t)
  const owner = await aPerson(call, 'jane')
  const heir = await aPerson(call, 'joe')
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'shops' })
  const members = `/groups/${group.id}/members`
  const isRefused = async (message: string) => {
    t.hasStrict(await call('DELETE', `/users/${owner.id}`, { hard_delete: true }), {
      status: 409,
      body: { message: 'User cannot be removed: is the sole owner of a group' }
    })
    t.hasStrict(await call('POST', `/users/${owner.id}/block`), {
      status: 409,
      body: { message: '409 Conflict - the user is the last owner of a group' }
    })
    t.hasStrict((await call('GET', `/users/${owner.id}`)).body, { state: 'active' }, message)
  }

  await call('POST', members, { user_id: owner.id, access_level: 50 })
  await call('DELETE', `${members}/1`)
  await call('POST', `/groups/${group.id}/access_tokens`, { name: 'bot', scopes: ['api'], access_level: 50 })
  await isRefused('a bot cannot take over')
  await call('POST', members, { user_id: heir.id, access_level: 50, expires_at: '2999-12-31' })
  await isRefused('an owner whose membership expires cannot take over')
  await call('PUT', `${members}/${heir.id}`, { access_level: 50, expires_at: '' })
  await platform.pool.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [heir.id])
  await isRefused('a blocked owner cannot take over')
  await call('POST', `/users/${heir.id}/unblock`)

  const { body: subgroup } = await call('POST', '/groups', { name: 'S', path: 's', parent_id: group.id })
  await call('POST', `/groups/${subgroup.id}/members`, { user_id: owner.id, access_level: 50 })
  await call('DELETE', `/groups/${subgroup.id}/members/1`)
  t.equal((await call('POST', `/users/${owner.id}/block`)).status, 201, 'the owner of the parent owns the subgroup, too')
})

t.test('of two last owners one remains when both are blocked or deleted at once', async t => {
  const { call } = await openApp(t)
  const owners = [await aPerson(call, 'jane'), await aPerson(call, 'joe')]
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'shops' })

  for (const { id } of owners) await call('POST', `/groups/${group.id}/members`, { user_id: id, access_level: 50 })
  await call('DELETE', `/groups/${group.id}/members/1`)
  const [jane, joe] = owners.map(({ id }) => `/users/${id}`)
  const answers = await Promise.all([call('DELETE', jane!), call('POST', `${joe}/block`)])

  t.equal(answers.filter(({ status }) => status === 409).length, 1)
})

t.test('projects_limit limits the projects of a personal namespace', async t => {
  const { call } = await openApp(t)
  const { id } = await aPerson(call, 'jane')
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'shops' })
  const create = async (name: string, members = {}) => (await call('POST', `/projects/user/${id}`, { name, ...members })).status

  t.hasStrict((await call('GET', `/users/${id}`)).body, { projects_limit: 100_000, can_create_project: true })
  t.hasStrict((await call('PUT', `/users/${id}`, { projects_limit: 1 })).body, { projects_limit: 1 })
  t.same((await Promise.all(['a', 'b', 'c'].map(name => create(name)))).sort(), [201, 400, 400])
  t.hasStrict(await call('POST', `/projects/user/${id}`, { name: 'd' }), {
    status: 400,
    body: { message: { limit_reached: ['The limit of 1 personal projects is reached.'] } }
  })

  await call('POST', `/groups/${group.id}/members`, { user_id: id, access_level: 50 })
  t.equal(await create('e', { namespace_id: group.id }), 201, 'groups have no limit')
  const { body: other } = await call('POST', '/projects', { name: 'f' })
  t.equal((await call('PUT', `/projects/${other.id}/transfer`, { namespace: 'jane' })).status, 400, 'a transfer counts, too')
  t.hasStrict((await call('PUT', `/users/${id}`, { projects_limit: 0 })).body, { can_create_project: false })
  t.equal((await call('PUT', `/users/${id}`, { projects_limit: -1 })).status, 400)
})
