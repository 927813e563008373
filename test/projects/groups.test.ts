import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { allRoutesOf } from '../api/routes.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a group has the documented shape at every level', async t => {
  const { call } = await openApp(t)
  const { body: top } = await call('POST', '/groups', { name: 'Top', path: 'top', visibility: 'public' })
  const { body: mid } = await call('POST', '/groups', { name: 'Mid', path: 'mid', parent_id: top.id, description: 'D' })
  const { body: low } = await call('POST', '/groups', { name: 'Low', path: 'low', parent_id: mid.id })

  t.hasStrict(mid, {
    name: 'Mid',
    path: 'mid',
    full_name: 'Top / Mid',
    full_path: 'top/mid',
    parent_id: top.id,
    description: 'D',
    visibility: 'private',
    web_url: 'http://tocsin.test/groups/top/mid',
    avatar_url: null
  })
  t.hasStrict(await call('GET', '/groups/TOP%2fmid%2Flow'), { status: 200, body: { id: low.id, full_name: 'Top / Mid / Low' } })
  const paths = async (url: string) => (await call('GET', url)).body.map((group: { full_path: string }) => group.full_path)

  t.same(await paths('/groups?order_by=path&sort=desc'), ['top', 'top/mid', 'top/mid/low'])
  t.same(await paths('/groups?top_level_only=true'), ['top'])
  t.same(await paths('/groups?search=mid'), ['top/mid/low', 'top/mid'])
  t.same(await paths(`/groups/${top.id}/subgroups`), ['top/mid'])
  t.same(await paths(`/groups/${top.id}/descendant_groups`), ['top/mid/low', 'top/mid'])
  t.hasStrict(await call('GET', '/groups/4711'), { status: 404, body: { message: '404 Group Not Found' } })
  t.hasStrict(await call('GET', '/groups/root'), { status: 404 }, 'a personal namespace is not a group')
})

t.test('visibility and membership decide who sees a group', async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const groups: Record<string, { id: number }> = {}

  for (const visibility of ['private', 'internal', 'public']) {
    groups[visibility] = (await call('POST', '/groups', { name: visibility, path: `${visibility}s`, visibility })).body
  }
  const { body: sub } = await call('POST', '/groups', { name: 'sub', path: 'sub', parent_id: groups.private!.id })
  const { body: project } = await call('POST', '/projects', { name: 'P', namespace_id: sub.id })
  const names = async (query: string, token: string | null) =>
    (await call('GET', `/groups${query}`, undefined, token)).body.map(({ name }: { name: string }) => name)

  t.same(await names('', null), ['public'])
  t.same(await names('?owned=true', null), [])
  t.same(await names('', ann.token), [], 'only own groups by default')
  t.same(await names('?all_available=true', ann.token), ['internal', 'public'])
  t.equal((await ann.call('GET', `/groups/${groups.private!.id}`)).status, 404)

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 10 })
  t.same(await names('', ann.token), ['private', 'sub'], 'members of a project see its groups')
  t.same((await ann.call('GET', `/groups/${groups.private!.id}`)).status, 200)
  t.equal((await ann.call('GET', `/groups/${groups.private!.id}/audit_events`)).status, 403)
  await call('POST', `/groups/${groups.private!.id}/members`, { user_id: ann.id, access_level: 50 })
  t.same(await names('?owned=true', ann.token), ['private', 'sub'])
  t.same(await names('?min_access_level=50&visibility=private&search=sub', ann.token), ['sub'])
})

t.test('the projects of a group include those of subgroups on request', async t => {
  const world = await openApp(t)
  const { call } = world
  const { body: top } = await call('POST', '/groups', { name: 'Top', path: 'top', visibility: 'public' })
  const { body: sub } = await call('POST', '/groups', { name: 'Sub', path: 'sub', parent_id: top.id, visibility: 'public' })

  await call('POST', '/projects', { name: 'B', namespace_id: top.id, visibility: 'public' })
  await call('POST', '/projects', { name: 'A', namespace_id: sub.id })
  const names = async (query = '', token?: string | null) =>
    (await call('GET', `/groups/top/projects${query}`, undefined, token)).body.map(({ name }: { name: string }) => name)

  t.same(await names(), ['B'])
  t.same(await names('?include_subgroups=true&order_by=name&sort=asc'), ['A', 'B'])
  t.same(await names('?include_subgroups=true', null), ['B'])
  t.same(await names('?include_subgroups=true&visibility=private&simple=true'), ['A'])
})

t.test('the names of routes and of placeholder users are reserved', async t => {
  const { app, call } = await openApp(t)
  const segments = new Set(allRoutesOf(app).map(route => / \/([^/:*]*)/.exec(route)?.[1] ?? ''))

  segments.delete('')
  t.ok(segments.has('errortracking') && segments.has('users'), 'segments were found')
  for (const path of ['ghost', 'Ghost', 'alert-bot', ...segments]) {
    const user = { username: path, name: 'N', email: 'n@example.com', force_random_password: true }

    t.equal((await call('POST', '/groups', { name: 'G', path })).status, 400, path)
    t.equal((await call('POST', '/users', user)).status, 400, path)
  }
})

t.test('users, groups and projects share one name space of paths', async t => {
  const world = await openApp(t)
  const { call } = world
  const pathTaken = { status: 400, body: { message: { path: ['has already been taken'] } } }
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'g' })

  await aPerson(world, 'ann')
  t.hasStrict(await call('POST', '/groups', { name: 'G', path: 'G' }), pathTaken)
  t.hasStrict(await call('POST', '/groups', { name: 'G', path: 'Ann' }), pathTaken)
  hasExactly(t, await call('POST', '/groups', { name: 'G', path: 'API' }), {
    status: 400,
    body: { message: { path: ['API is a reserved name'] } }
  })
  t.hasStrict(await call('PUT', '/groups/g', { path: 'admin' }), { status: 400 })
  t.match(await call('POST', '/groups', { name: 'G', path: 'a/b' }), { status: 400, body: { message: { path: [/can contain only/] } } })
  t.equal((await call('POST', '/groups', { name: 'Sub', path: 'sub', parent_id: group.id })).status, 201)
  t.hasStrict(await call('POST', '/projects', { name: 'Sub', namespace_id: group.id }), pathTaken)
  t.equal((await call('POST', '/projects', { name: 'P', namespace_id: group.id })).status, 201)
  t.hasStrict(await call('POST', '/groups', { name: 'P', path: 'p', parent_id: group.id }), pathTaken)

  const both = await Promise.all([
    call('POST', '/projects', { name: 'Race', namespace_id: group.id }),
    call('POST', '/groups', { name: 'Race', path: 'race', parent_id: group.id })
  ])
  t.same(both.map(({ status }) => status).sort(), [201, 400], 'concurrent requests cannot take the same path')
})

t.test('renaming a group moves everything in it and redirects the former paths', async t => {
  const { call } = await openApp(t)
  const { body: top } = await call('POST', '/groups', { name: 'Top', path: 'top' })
  const { body: sub } = await call('POST', '/groups', { name: 'Sub', path: 'sub', parent_id: top.id })
  const { body: project } = await call('POST', '/projects', { name: 'P', namespace_id: sub.id })

  t.hasStrict(await call('PUT', '/groups/top', { path: 'new' }), { status: 200, body: { full_path: 'new', name: 'Top' } })
  t.hasStrict(await call('GET', `/groups/${sub.id}`), { body: { full_path: 'new/sub' } })
  t.hasStrict(await call('GET', `/projects/${project.id}`), { body: { path_with_namespace: 'new/sub/p' } })
  t.hasStrict(await call('GET', '/projects/top%2Fsub%2Fp'), { status: 301, headers: { location: `/api/v4/projects/${project.id}` } })
  t.hasStrict(await call('GET', '/groups/top%2Fsub/subgroups'), {
    status: 301,
    headers: { location: `/api/v4/groups/${sub.id}/subgroups` }
  })
  t.equal((await call('DELETE', '/groups/top')).status, 405)

  const { body: other } = await call('POST', '/groups', { name: 'Other', path: 'top' })
  t.hasStrict(await call('GET', '/groups/top'), { status: 200, body: { id: other.id } }, 'a new group takes over a redirected path')
  t.equal((await call('GET', '/projects/top%2Fsub%2Fp')).status, 301)
  await call('DELETE', `/groups/${other.id}`)

  t.hasStrict(await call('PUT', '/groups/new', { path: 'top' }), { status: 200 })
  t.hasStrict(await call('GET', '/projects/top%2Fsub%2Fp'), { status: 200 })
  t.hasStrict(await call('GET', '/projects/new%2Fsub%2Fp'), { status: 301 })
  t.hasStrict(await call('PUT', '/groups/top', { path: 'TOP' }), { status: 200, body: { full_path: 'TOP' } })
  t.hasStrict(await call('GET', '/projects/top%2Fsub%2Fp'), { status: 200, body: { path_with_namespace: 'TOP/sub/p' } })
})

t.test('nothing in a group is more visible than the group', async t => {
  const { call } = await openApp(t)
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'g', visibility: 'internal' })
  const refused = { status: 400, body: { message: { visibility_level: ['public is not allowed in a internal group.'] } } }

  t.hasStrict(await call('POST', '/projects', { name: 'P', namespace_id: group.id, visibility: 'public' }), refused)
  t.hasStrict(await call('POST', '/groups', { name: 'S', path: 's', parent_id: group.id, visibility: 'public' }), refused)
  const { body: project } = await call('POST', '/projects', { name: 'P', namespace_id: group.id, visibility: 'internal' })
  t.hasStrict(await call('PUT', `/projects/${project.id}`, { visibility: 'public' }), refused)
  hasExactly(t, await call('PUT', '/groups/g', { visibility: 'private' }), {
    status: 400,
    body: {
      message: { visibility_level: ['private is not allowed since this group contains projects or subgroups with a higher visibility.'] }
    }
  })
  t.equal((await call('PUT', '/groups/g', { visibility: 'public' })).status, 200)
  t.equal((await call('PUT', `/projects/${project.id}`, { visibility: 'public' })).status, 200)
})

t.test('creating groups needs permission', async t => {
  const world = await openApp(t)
  const { call, platform } = world
  const ann = await aPerson(world, 'ann')
  const { body: own } = await ann.call('POST', '/groups', { name: 'Own', path: 'own' })
  const { body: other } = await call('POST', '/groups', { name: 'Other', path: 'other' })
  const within = () => ann.call('POST', '/groups', { name: 'Sub', path: 'sub', parent_id: other.id })

  hasExactly(t, (await ann.call('GET', `/groups/${own.id}/members`)).body, [{ username: 'ann', access_level: 50 }])
  hasExactly(t, await within(), { status: 400, body: { message: { parent_id: ['is not valid'] } } })
  await call('POST', `/groups/${other.id}/members`, { username: 'ann', access_level: 30 })
  t.equal((await within()).status, 403)
  const { status, body: project } = await ann.call('POST', '/projects', { name: 'P', namespace_id: other.id })
  t.equal(status, 201, 'developers make projects')
  t.equal((await ann.call('PUT', `/projects/${project.id}`, { description: 'D' })).status, 200, 'and run what they made')
  await call('PUT', `/groups/${other.id}/members/${ann.id}`, { access_level: 40 })
  t.equal((await within()).status, 201)
  t.equal((await ann.call('PUT', '/groups/other', { name: 'Mine' })).status, 403)
  await platform.pool.query('UPDATE users SET can_create_group = false WHERE id = $1', [ann.id])
  t.equal((await ann.call('POST', '/groups', { name: 'More', path: 'more' })).status, 403)
})

t.test('keyset pages of groups have no gap or repeat', async t => {
  const { app, platform } = await openApp(t)

  await platform.pool.query(
    `INSERT INTO namespaces (kind, name, path, full_path, visibility)
     SELECT 'group', 'Group, ' || n % 7, 'g' || n, 'g' || n, 'public' FROM generate_series(1, 50) n`
  )
  const collected: number[] = []
  let url: string | undefined = '/api/v4/groups?pagination=keyset&order_by=name&sort=asc&per_page=8'

  while (url) {
    const response: LightMyRequestResponse = await app.inject({ url })
    collected.push(...response.json().map(({ id }: { id: number }) => id))
    url = /<http:\/\/tocsin\.test([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1]
  }
  t.equal(new Set(collected).size, 50)
  t.equal(collected.length, 50)
  t.equal((await app.inject('/api/v4/groups?pagination=keyset&order_by=name&sort=desc')).statusCode, 405)
  t.equal((await app.inject('/api/v4/groups?pagination=keyset&order_by=name&sort=asc&cursor=x')).statusCode, 400)
})
