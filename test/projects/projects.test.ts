import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a project has the documented shape', async t => {
  const { call } = await openApp(t)
  const { body: group } = await call('POST', '/groups', { name: 'Company', path: 'company' })
  const { body: team } = await call('POST', '/groups', { name: 'A Team', path: 'team', parent_id: group.id })
  const made = await call('POST', '/projects', {
    name: 'My Shop',
    namespace_id: team.id,
    topics: ['shop', 'shop', ' new '],
    initialize_with_readme: true
  })

  t.equal(made.status, 201)
  hasExactly(t, (await call('GET', `/projects/${made.body.id}`)).body, {
    id: made.body.id,
    description: null,
    name: 'My Shop',
    name_with_namespace: 'Company / A Team / My Shop',
    path: 'my-shop',
    path_with_namespace: 'company/team/my-shop',
    default_branch: 'main',
    topics: ['shop', 'new'],
    tag_list: ['shop', 'new'],
    http_url_to_repo: 'http://tocsin.test/company/team/my-shop.git',
    web_url: 'http://tocsin.test/company/team/my-shop',
    visibility: 'private',
    archived: false,
    repository_storage: 'default',
    namespace: {
      id: team.id,
      kind: 'group',
      full_path: 'company/team',
      parent_id: group.id,
      web_url: 'http://tocsin.test/groups/company/team'
    },
    permissions: { project_access: null, group_access: { access_level: 50 } }
  })
  const [simple] = (await call('GET', '/projects?simple=true&search=My+Shop')).body
  t.hasStrict(simple, { id: made.body.id, path: 'my-shop', namespace: { id: team.id } })
  t.notOk('creator_id' in simple)
})

t.test('visibility decides who sees a project', async t => {
  const world = await openApp(t)
  const { call } = world
  const stranger = await aPerson(world, 'stranger')
  const external = await aPerson(world, 'external', { isExternal: true })
  const sees: Record<string, number[]> = { private: [404, 404, 404], internal: [404, 200, 404], public: [200, 200, 200] }

  for (const [visibility, statuses] of Object.entries(sees)) {
    const { body: project } = await call('POST', '/projects', { name: visibility, visibility })
    const tries = [
      await call('GET', `/projects/${project.id}`, undefined, null),
      await stranger.call('GET', `/projects/${project.id}`),
      await external.call('GET', `/projects/root%2F${visibility.toUpperCase()}`)
    ]

    t.same(
      tries.map(({ status }) => status),
      statuses,
      visibility
    )
    t.hasStrict(await stranger.call('PUT', `/projects/${project.id}`, { name: 'Mine' }), { status: visibility === 'private' ? 404 : 403 })
  }
  const names = async (token: string | null) =>
    (await call('GET', '/projects', undefined, token)).body.map(({ name }: { name: string }) => name)

  t.same(await names(null), ['public'])
  t.same(await names(stranger.token), ['public', 'internal'])
  t.same(await names(external.token), ['public'])
})

t.test('a role comes from the project, an ancestor group or the personal namespace, until it expires', async t => {
  const world = await openApp(t)
  const { call, platform } = world
  const ann = await aPerson(world, 'ann')
  const { body: top } = await call('POST', '/groups', { name: 'Top', path: 'top' })
  const { body: sub } = await call('POST', '/groups', { name: 'Sub', path: 'sub', parent_id: top.id })
  const { body: project } = await call('POST', '/projects', { name: 'Deep', namespace_id: sub.id })
  const status = async () => (await ann.call('GET', `/projects/${project.id}`)).status
  const keys = async () => (await ann.call('GET', `/projects/${project.id}/error_tracking/client_keys`)).status
  const listed = async () => (await ann.call('GET', '/projects')).body.length

  t.equal(await status(), 404)
  t.equal(await listed(), 0)
  await call('POST', `/groups/${top.id}/members`, { user_id: ann.id, access_level: 20 })
  t.same([await status(), await keys(), await listed()], [200, 403, 1])
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 40 })
  t.same([await status(), await keys(), await listed()], [200, 200, 1])
  t.hasStrict((await ann.call('GET', `/projects/${project.id}`)).body.permissions, {
    project_access: { access_level: 40 },
    group_access: { access_level: 20 }
  })

  await platform.pool.query(`UPDATE members SET expires_at = (now() AT TIME ZONE 'UTC')::date WHERE user_id = $1`, [ann.id])
  t.equal(await status(), 200, 'valid on its last day')
  await platform.pool.query(`UPDATE members SET expires_at = (now() AT TIME ZONE 'UTC')::date - 1 WHERE user_id = $1`, [ann.id])
  t.same([await status(), await keys(), await listed()], [404, 404, 0])

  const { body: own } = await ann.call('POST', '/projects', { name: 'Own' })
  await platform.pool.query('DELETE FROM members WHERE user_id = $1', [ann.id])
  t.equal((await ann.call('PUT', `/projects/${own.id}`, { path: 'own2' })).status, 200)
})

t.test('a renamed project redirects its former path until another project takes it', async t => {
  const { call, app } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Old' })

  t.hasStrict(await call('PUT', `/projects/${project.id}`, { path: 'new' }), { status: 200, body: { path_with_namespace: 'root/new' } })
  const moved = await call('GET', '/projects/root%2Fold/error_tracking/settings?a=b')

  t.hasStrict(moved, { status: 301, headers: { location: `/api/v4/projects/${project.id}/error_tracking/settings?a=b` } })
  t.hasStrict(await call('PUT', '/projects/root%2Fold', { name: 'X' }), { status: 405, headers: { allow: 'GET, HEAD' } })
  t.hasStrict(
    await call('GET', '/projects/root%2Fold', undefined, null),
    { status: 404 },
    'no redirect for viewers who cannot see the project'
  )
  t.equal(
    (await app.inject({ method: 'HEAD', url: '/api/v4/projects/root%2Fold', headers: { 'private-token': 'nobody' } })).statusCode,
    401
  )

  const { body: other } = await call('POST', '/projects', { name: 'Old' })
  t.hasStrict(await call('GET', '/projects/root%2FOld'), { status: 200, body: { id: other.id } })
  await call('PUT', `/projects/${other.id}`, { path: 'elsewhere' })
  t.hasStrict((await call('GET', '/projects/root%2Fold')).headers, { location: `/api/v4/projects/${other.id}` })

  await call('PUT', `/projects/${project.id}`, { path: 'back' })
  await call('PUT', `/projects/${project.id}`, { path: 'new' })
  t.hasStrict(await call('GET', '/projects/root%2Fnew'), { status: 200, body: { id: project.id } })
  t.hasStrict(
    await call('PUT', `/projects/${project.id}`, { path: 'NEW' }),
    { status: 200, body: { path: 'NEW' } },
    'a change of case is allowed'
  )
  t.equal((await call('GET', '/projects/root%2Fnew')).status, 200)
  hasExactly(t, await call('PUT', `/projects/${project.id}`, { path: 'elsewhere' }), {
    status: 400,
    body: { message: { path: ['has already been taken'] } }
  })
  t.match(await call('PUT', `/projects/${project.id}`, { path: 'a.git' }), { status: 400, body: { message: { path: [/cannot end in/] } } })
})

t.test('settings are updated one by one, under either of two names', async t => {
  const world = await openApp(t)
  const ann = await aPerson(world, 'ann')
  const { body: project } = await world.call('POST', '/projects', { name: 'P' })
  const path = `/projects/${project.id}`

  await world.call('POST', `${path}/members`, { user_id: ann.id, access_level: 40 })
  hasExactly(
    t,
    await ann.call('PUT', path, { description: 'D', default_branch: 'trunk', tag_list: 'a, b', monitor_access_level: 'private' }),
    {
      status: 200,
      body: { name: 'P', description: 'D', default_branch: 'trunk', topics: ['a', 'b'], monitoring_access_level: 'private' }
    }
  )
  t.equal((await ann.call('PUT', path, { visibility: 'public' })).status, 403, 'only owners change the visibility')
  t.equal((await ann.call('PUT', path, { path: 'q' })).status, 403, 'only owners change the path')
  t.equal((await ann.call('PUT', path, { path: 'p', visibility: 'private' })).status, 200, 'maintainers may send unchanged values')
  t.hasStrict((await ann.call('PUT', path, { description: 'E' })).body, { description: 'E', default_branch: 'trunk' })
})

t.test('an admin creates projects for other users', async t => {
  const world = await openApp(t)
  const ann = await aPerson(world, 'ann')

  t.hasStrict(await world.call('POST', `/projects/user/${ann.id}`, { name: 'Hers' }), {
    status: 201,
    body: { path_with_namespace: 'ann/hers', creator_id: ann.id, owner: { username: 'ann' } }
  })
  t.equal((await world.call('POST', '/projects/user/4711', { name: 'Hers' })).status, 404)
  t.equal((await ann.call('POST', `/projects/user/${ann.id}`, { name: 'Other' })).status, 403)
  hasExactly(t, (await ann.call('GET', '/users/ann/projects')).body, [{ name: 'Hers' }])
  t.same((await world.call('GET', `/users/${ann.id}/projects`, undefined, null)).body, [])
  t.equal((await ann.call('GET', '/users/unknown/projects')).status, 404)
})

t.test('archiving is idempotent, also concurrently', async t => {
  const { call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const audited = async () => (await platform.pool.query(`SELECT name FROM audit_events WHERE name LIKE '%archived' ORDER BY id`)).rows

  for (const verb of ['archive', 'archive', 'unarchive', 'unarchive']) {
    t.hasStrict(await call('POST', `/projects/${project.id}/${verb}`), { status: 201, body: { archived: verb === 'archive' } })
  }
  t.same(await audited(), [{ name: 'project_archived' }, { name: 'project_unarchived' }])
  await Promise.all(Array.from({ length: 4 }, () => call('POST', `/projects/${project.id}/archive`)))
  t.equal((await audited()).length, 3, 'concurrent requests record one change')
})

t.test('maintainers of a group transfer projects to it, and former paths redirect', async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const { body: project } = await ann.call('POST', '/projects', { name: 'P', visibility: 'public' })
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'g' })
  const transfer = (namespace: number | string) => ann.call('PUT', `/projects/${project.id}/transfer`, { namespace })

  t.hasStrict(await transfer(group.id), { status: 404, body: { message: '404 Namespace Not Found' } })
  await call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 30 })
  t.equal((await transfer('g')).status, 403)
  await call('PUT', `/groups/${group.id}/members/${ann.id}`, { access_level: 40 })
  hasExactly(t, await transfer('g'), {
    status: 400,
    body: { message: { visibility_level: ['public is not allowed in a private group.'] } }
  })
  await ann.call('PUT', `/projects/${project.id}`, { visibility: 'private' })
  t.hasStrict(await transfer('g'), { status: 200, body: { path_with_namespace: 'g/p', namespace: { id: group.id } } })
  t.hasStrict(await transfer('g'), { status: 200, body: { path_with_namespace: 'g/p' } }, 'idempotent')
  t.hasStrict(await ann.call('GET', '/projects/ann%2Fp'), { status: 301, headers: { location: `/api/v4/projects/${project.id}` } })
  t.hasStrict(await transfer('ann'), { status: 200, body: { path_with_namespace: 'ann/p' } })
  t.hasStrict(await transfer('root'), { status: 404 })
})
