import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

const path = '/admin/users'
const cleo = {
  name: 'Cleo Park',
  username: 'cleo',
  email: 'cleo@example.com',
  can_create_group: 'true',
  projects_limit: '5',
  password: 'tall green window'
}

async function openUsers(t: Test, env: Record<string, string> = {}) {
  const world = await openApp(t, { env })
  const root = new Visitor(world.app)

  await root.signIn()
  await root.get(`${path}/new`)

  return { ...world, root, userOf: async (id: string) => (await world.call('GET', `/users/${id}`)).body }
}

function problemsOf(body: string) {
  return [...body.matchAll(/<p class="(?:error|problem)"[^>]*>([^<]+)</g)].map(([, text]) => text)
}

t.test('an admin creates a user, who signs in with the password', async t => {
  const { app, root, userOf } = await openUsers(t)
  const { statusCode, headers } = await root.post(path, cleo)
  const id = headers.location!.slice(`${path}/`.length)

  t.equal(statusCode, 303)
  t.hasStrict(await userOf(id), {
    username: 'cleo',
    name: 'Cleo Park',
    is_admin: false,
    external: false,
    can_create_group: true,
    projects_limit: 5
  })
  t.match((await root.get(headers.location!)).body, /User created\.[\s\S]+Cleo Park/)
  t.equal((await new Visitor(app).signIn({ login: 'cleo', password: cleo.password })).statusCode, 303)
})

t.test('a user without a password signs in with the one-time password that an admin sets, and replaces it', async t => {
  const { app, root, call } = await openUsers(t)
  const { body: user } = await call('POST', '/users', { ...cleo, password: undefined, force_random_password: true })
  const location = `${path}/${user.id}`
  const visitor = new Visitor(app)

  t.match((await root.get(location!)).body, /The user has no password yet\./)
  t.same(problemsOf((await root.post(`${location}/password`, { password: 'short' })).body), ['Is too short (minimum is 8 characters).'])
  t.equal((await root.post(`${location}/password`, { password: 'seven small boats' })).statusCode, 303)
  t.equal((await visitor.signIn({ login: 'cleo', password: 'seven small boats' })).statusCode, 303)
  t.match((await visitor.get('/')).headers.location, /^\/users\/password/)
})

t.test('what the API refuses is said, and what was typed stays', async t => {
  const { root } = await openUsers(t)
  const refusal = async (fields: Record<string, string>) => {
    const { statusCode, body } = await root.post(path, { ...cleo, ...fields })

    t.equal(statusCode, 400)
    t.match(body, /value="Cleo Park"/)

    return problemsOf(body)
  }

  t.same(await refusal({ email: 'cleo' }), ['Is invalid.'])
  t.same(await refusal({ username: 'admin' }), ['Admin is a reserved name.'])
  t.same(await refusal({ username: 'root' }), ['Username has already been taken.'])
  t.same(await refusal({ password: 'password' }), ['Must not contain commonly used combinations of words and letters.'])
  t.same(await refusal({ projects_limit: 'many' }), ['Enter a whole number from 0 to 2147483647.'])
})

t.test('an admin changes a user, and the last admin stays one', async t => {
  const world = await openUsers(t)
  const { root, userOf } = world
  const ann = await aMember(world, 'ann')
  const form = { name: 'Ann Lee', username: 'annlee', email: 'ann@example.com', projects_limit: '7' }

  t.equal((await root.post(`${path}/${ann.id}`, { ...form, admin: 'true', external: 'true' })).statusCode, 303)
  t.hasStrict(await userOf(String(ann.id)), {
    name: 'Ann Lee',
    username: 'annlee',
    is_admin: true,
    external: true,
    can_create_group: false,
    projects_limit: 7
  })
  await root.post(`${path}/${ann.id}`, form)
  t.hasStrict(await userOf(String(ann.id)), { is_admin: false, external: false })
  const { statusCode, body } = await root.post(`${path}/1`, { name: 'R', username: 'root', email: 'root@example.com', projects_limit: '7' })
  t.same([statusCode, problemsOf(body)], [400, ['The last admin cannot be demoted.']])
})

t.test('an admin blocks, unblocks and deletes a user, with the reasons of the API', async t => {
  const world = await openUsers(t)
  const { root, call, userOf } = world
  const ann = await aMember(world, 'ann')
  const page = `${path}/${ann.id}`
  const state = async () => (await userOf(String(ann.id))).state

  t.match((await root.get(page)).body, /value="block">Block<[\s\S]+value="ban"/)
  await root.post(`${page}/state`, { verb: 'block' })
  t.equal(await state(), 'blocked')
  t.equal((await ann.get('/')).headers.location, '/users/sign_in', 'the session has ended')
  t.match((await root.get(page)).body, /blocked<[\s\S]+value="unblock">Unblock</)
  await root.post(`${page}/state`, { verb: 'unblock' })
  t.equal(await state(), 'active')
  const refused = await root.post(`${page}/state`, { verb: 'deactivate' })
  t.same(
    [refused.statusCode, problemsOf(refused.body)],
    [400, ['The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated.']]
  )
  t.equal((await root.post(`${page}/state`, { verb: 'praise' })).statusCode, 400)
  t.same(problemsOf((await root.post(`${path}/1/state`, { verb: 'block' })).body), [
    'The API initiating user cannot be blocked by the API.'
  ])

  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  await call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 50 })
  await call('DELETE', `/groups/${group.id}/members/1`)
  t.same(problemsOf((await root.post(`${page}/deletion`)).body), ['User cannot be removed: is the sole owner of a group.'])
  await call('DELETE', `/groups/${group.id}`)
  t.hasStrict(await root.post(`${page}/deletion`), { statusCode: 303, headers: { location: path } })
  t.equal((await root.get(page)).statusCode, 404)
})

t.test('users are listed with search and state, a page at a time', async t => {
  const world = await openUsers(t)
  const { root, call, platform } = world
  const ann = await aMember(world, 'ann')
  const found = async (query: string) =>
    [...(await root.get(`${path}?${query}`)).body.matchAll(/<span class="hint">@([\w-]+)</g)].map(([, name]) => name)

  await aMember(world, 'ben', { external: true })
  await call('POST', `/users/${ann.id}/block`)
  t.same(await found(''), ['root', 'ann', 'ben'])
  t.same(await found('search=BEN%40example.com'), ['ben'])
  t.same(await found('state=blocked'), ['ann'])
  t.same(await found('state=active'), ['root', 'ben'])
  t.same(await found('state=admins'), ['root'])
  t.same(await found('state=external&search=b'), ['ben'])
  t.same(await found('search=nobody'), [])
  await platform.pool.query(`INSERT INTO users (username, name, email) SELECT 'u' || n, 'U', 'u' || n FROM generate_series(1, 30) n`)
  t.equal((await found('')).length, 25)
  t.equal((await found('page=2')).length, 8)
  t.match((await root.get(path)).body, /33 in all[\s\S]+rel="next" href="\/admin\/users\?search=&#38;state=&#38;page=2"/)
})

t.test('only admins see and change users', async t => {
  const world = await openUsers(t)
  const { app, call } = world
  const ann = await aMember(world, 'ann')
  const stranger = new Visitor(app)

  t.notMatch((await ann.get('/')).body, /href="\/admin/)
  for (const url of [path, `${path}/new`, `${path}/1`]) {
    t.equal((await ann.get(url)).statusCode, 403, url)
    t.equal((await stranger.get(url)).statusCode, 401, url)
  }
  for (const url of [path, `${path}/1`, `${path}/1/password`, `${path}/1/state`, `${path}/1/deletion`]) {
    t.equal((await ann.post(url, { ...cleo, verb: 'block' })).statusCode, 403, url)
    t.equal((await stranger.post(url, cleo)).statusCode, 401, url)
  }
  t.equal((await call('GET', '/users?username=cleo')).body.length, 0)
})
