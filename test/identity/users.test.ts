import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

type App = Awaited<ReturnType<typeof openApp>>['app']

/** The usernames on all pages, following the `next` links. */
async function read(app: App, query: string, token: string | null = rootToken) {
  const usernames: string[] = []
  let url: string | undefined = `/api/v4/users?${query}`

  while (url) {
    const response: LightMyRequestResponse = await app.inject({ url, headers: token ? { 'private-token': token } : {} })
    usernames.push(...response.json().map((user: { username: string }) => user.username))
    url = /<http:\/\/tocsin\.test([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1]
  }

  return usernames
}

t.test('the current user sees all own attributes except the note', async t => {
  const { call } = await openApp(t)
  const { token, id } = await aPerson(call, 'jane', { bio: 'Writes', website_url: 'https://jane.example', note: 'for admins' })
  const { body } = await call('GET', '/user', undefined, token)

  t.hasStrict(body, {
    id,
    username: 'jane',
    name: 'jane',
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: 'http://tocsin.test/jane',
    email: 'jane@example.com',
    bio: 'Writes',
    website_url: 'https://jane.example',
    is_admin: false,
    two_factor_enabled: false,
    private_profile: false,
    external: false,
    can_create_group: true
  })
  t.notOk('note' in body)
})

t.test('keyset pagination lists every user once, in each order and direction', async t => {
  const { app, call, platform } = await openApp(t)
  const names = ['ann', 'bob', 'cid', 'dan', 'eve', 'flo', 'gus']

  for (const [n, username] of names.entries()) await aPerson(call, username, { name: `Name ${n % 3}` })
  const { rows } = await platform.pool.query('SELECT username FROM users ORDER BY name, id')
  const orders: Record<string, string[]> = { id: ['root', ...names], username: [...names, 'root'], name: rows.map(row => row.username) }

  for (const [by, expected] of Object.entries(orders)) {
    t.same(await read(app, `pagination=keyset&order_by=${by}&sort=asc&per_page=2`), expected, `${by} asc`)
    t.same(await read(app, `pagination=keyset&order_by=${by}&sort=desc&per_page=3`), expected.toReversed(), `${by} desc`)
  }
  t.hasStrict(await call('GET', '/users?pagination=keyset'), { status: 400, body: { error: 'order_by is missing' } })
  t.hasStrict(await call('GET', '/users?pagination=keyset&order_by=email&sort=asc'), {
    status: 405,
    body: { error: 'Keyset pagination is not yet available for this type of request' }
  })
  for (const name of ['constructor', '__proto__', 'toString']) {
    t.hasStrict(
      await call('GET', `/users?order_by=${name}`),
      { status: 400, body: { error: 'order_by does not have a valid value' } },
      name
    )
    t.equal((await call('GET', `/users?pagination=keyset&order_by=${name}`)).status, 405, name)
  }
  t.equal((await call('GET', '/users?order_by=email')).status, 400)
  t.equal((await call('GET', '/users?order_by=created_at')).status, 200)
  t.hasStrict(await call('GET', '/users?pagination=keyset&order_by=id&cursor=x'), { status: 400, body: { error: 'cursor is invalid' } })
})

t.test('offset pagination is removed in version 17.0, and a request without a page gets keyset links', async t => {
  const { app, call } = await openApp(t, { env: { SERVICE_VERSION: '17.0' } })

  for (const username of ['ann', 'bob', 'cid']) await aPerson(call, username)
  t.match(await call('GET', '/users?page=2'), { status: 405, body: { error: /keyset/ } })
  t.same(await read(app, 'page=1&per_page=2'), ['cid', 'bob', 'ann', 'root'])
  t.same(await read(app, 'per_page=2'), ['cid', 'bob', 'ann', 'root'])
  t.same(await read(app, 'username=BOB'), ['bob'])

  const { headers } = await call('GET', '/users?per_page=1')
  t.match(headers.link, /pagination=keyset&order_by=id&sort=desc&cursor=[\w-]+>; rel="next"$/)
  t.notOk('x-total' in headers)
})

t.test('offset pagination works below version 17.0', async t => {
  const { call } = await openApp(t, { env: { SERVICE_VERSION: '16.11' } })

  for (const username of ['ann', 'bob', 'cid']) await aPerson(call, username)
  const { headers, body } = await call('GET', '/users?per_page=3&page=2&order_by=username&sort=asc')

  t.same(
    body.map((user: { username: string }) => user.username),
    ['root']
  )
  t.same([headers['x-page'], headers['x-total'], headers['x-total-pages'], headers['x-prev-page']], ['2', '4', '2', '1'])
  t.match(await call('GET', '/users?per_page=100&page=501'), { status: 405, body: { error: /objects of type User/ } })
})

t.test('users are found by part of a name or by a full address', async t => {
  const { app, call } = await openApp(t)
  const jane = await aPerson(call, 'jane', { name: 'Jane Doe', public_email: 'jane@example.com' })

  await aPerson(call, 'joe', { name: '100% Joe', external: true })
  const { body: bot } = await call('POST', '/projects/1/access_tokens', { name: 'Robot', scopes: ['api'] })
  await call('POST', `/users/${(await aPerson(call, 'gone')).id}/block`)

  t.same(await read(app, 'search=DOE'), ['jane'])
  t.same(await read(app, 'search=an'), ['jane'])
  t.same(await read(app, 'search=%25'), ['joe'], 'wildcards are escaped')
  t.same(await read(app, 'search=joe@example.com'), ['joe'])
  t.same(await read(app, 'search=joe@example'), [])
  t.same(await read(app, 'search=joe@example.com', jane.token), [], 'only admins search addresses that are not public')
  t.same(await read(app, 'search=JANE@example.com', jane.token), ['jane'])
  t.same(await read(app, 'public_email=jane@example.com', jane.token), ['jane'])
  t.same(await read(app, 'blocked=true'), ['gone'])
  t.same(await read(app, 'blocked=true', jane.token), [], 'only admins see blocked users')
  t.same(await read(app, 'active=true&humans=true'), ['joe', 'jane', 'root'])
  t.same(await read(app, 'without_project_bots=true&active=true'), ['joe', 'jane', 'root'])
  t.same((await call('GET', '/users?search=robot')).body[0].id, bot.user_id)
  t.same(await read(app, 'admins=true'), ['root'])
  t.equal((await read(app, 'admins=true', jane.token)).length, 4, 'only admins filter by admin')
  t.same(await read(app, 'external=true&humans=true'), ['joe'])
  t.same(await read(app, 'created_before=2020-01-01T00:00:00Z'), [])
  t.equal((await read(app, 'created_after=2020-01-01T00:00:00Z')).length, 5)
  t.same(await read(app, 'created_after=2099-01-01T00:00:00Z'), [])
})

t.test('the bot of a token can be renamed, but not its username', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: bot } = await call('POST', `/projects/${project.id}/access_tokens`, { name: 'robot', scopes: ['api'], access_level: 30 })
  const path = `/users/${bot.user_id}`

  t.equal((await call('PUT', path, { name: 'Deployer' })).body.name, 'Deployer')
  hasExactly(t, await call('PUT', path, { username: 'deployer' }), {
    status: 400,
    body: { message: { username: ['of a bot cannot be changed'] } }
  })
})

t.test('other users see public attributes, and anonymous viewers see only public profiles', async t => {
  const { app, call } = await openApp(t)
  const jane = await aPerson(call, 'jane', { bio: 'Writes', note: 'careful' })
  const joe = await aPerson(call, 'joe', { private_profile: true, bio: 'Hides' })
  const deleted = await aPerson(call, 'gone', { bio: 'Was here' })

  await call('POST', `/users/${deleted.id}/block`)
  const show = (id: number, token: string | null) => call('GET', `/users/${id}`, undefined, token)

  const { body: shown } = await show(jane.id, joe.token)
  t.hasStrict(shown, { username: 'jane', bio: 'Writes', bot: false })
  for (const name of ['email', 'note', 'is_admin', 'two_factor_enabled', 'private_profile']) t.notOk(name in shown, name)
  t.hasStrict((await show(jane.id, rootToken)).body, { email: 'jane@example.com', note: 'careful', is_admin: false })
  t.notOk('bio' in (await show(joe.id, jane.token)).body)
  t.hasStrict((await show(joe.id, joe.token)).body, { bio: 'Hides' })
  t.notOk('bio' in (await show(deleted.id, jane.token)).body)
  t.hasStrict((await show(jane.id, null)).body, { username: 'jane' })
  t.hasStrict(await show(joe.id, null), { status: 404, body: { message: '404 User Not Found' } })
  t.equal((await show(deleted.id, null)).status, 404)
  t.equal((await show(4711, jane.token)).status, 404)

  t.same(await read(app, '', null), ['jane', 'root'])
  const [listed] = (await call('GET', '/users?username=jane', undefined, null)).body
  t.same(Object.keys(listed).sort(), ['avatar_url', 'id', 'name', 'state', 'username', 'web_url'])
  const rows = async (token: string) => (await call('GET', '/users?username=jane', undefined, token)).body

  t.notOk('locked' in (await rows(joe.token))[0], 'users do not learn whether others are locked out')
  t.notOk('locked' in (await show(jane.id, joe.token)).body)
  t.notOk('locked' in (await show(jane.id, null)).body)
  t.equal((await rows(rootToken))[0].locked, false, 'admins do')
})
