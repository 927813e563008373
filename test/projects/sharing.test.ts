import type { Test } from 'tap'
import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

/** A private project in the group `shop`, and the group `team` below `company`, with people in both. */
async function openShare(t: Test) {
  const world = await openApp(t)
  const { call } = world
  const [ann, bob, cleo] = [await aPerson(world, 'ann'), await aPerson(world, 'bob'), await aPerson(world, 'cleo')]
  const group = async (path: string, parent_id?: number) => (await call('POST', '/groups', { name: path, path, parent_id })).body
  const shop = await group('shop')
  const company = await group('company')
  const team = await group('team', company.id)
  const { body: project } = await call('POST', '/projects', { name: 'Till', namespace_id: shop.id })

  await call('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 40 })
  await call('POST', `/groups/${team.id}/members`, { user_id: bob.id, access_level: 20 })
  await call('POST', `/groups/${company.id}/members`, { user_id: cleo.id, access_level: 50 })

  return { ...world, ann, bob, cleo, shop, company, team, project, path: `/projects/${project.id}` }
}

type Person = Awaited<ReturnType<typeof aPerson>>

/** The status of requests that need to see the project, and to be reporter, developer, maintainer, owner. */
async function rightsOf({ call }: Person, id: number) {
  const answers = [
    await call('GET', `/projects/${id}`),
    await call('GET', `/projects/${id}/issues`),
    await call('GET', `/projects/${id}/error_tracking/errors`),
    await call('PUT', `/projects/${id}`, { description: 'D' }),
    await call('PUT', `/projects/${id}`, { path: `renamed-${id}` })
  ]

  return answers.map(({ status }) => status)
}

const none = [404, 404, 404, 404, 404]
const roles = {
  10: [200, 403, 403, 403, 403],
  20: [200, 200, 403, 403, 403],
  30: [200, 200, 200, 403, 403],
  40: [200, 200, 200, 200, 403],
  50: [200, 200, 200, 200, 200]
}

t.test('a share gives each member their own role, but no more than the role of the share', async t => {
  const { call, ann, bob, cleo, team, path, project } = await openShare(t)

  for (const [level, expected] of [
    [10, [roles[10], roles[10], roles[10]]],
    [30, [roles[30], roles[20], roles[30]]],
    [50, [roles[40], roles[20], roles[50]]]
  ] as const) {
    t.same([await rightsOf(ann, project.id), await rightsOf(bob, project.id), await rightsOf(cleo, project.id)], [none, none, none])
    t.equal((await call('POST', `${path}/share`, { group_id: team.id, group_access: level })).status, 201)
    t.same([await rightsOf(ann, project.id), await rightsOf(bob, project.id), await rightsOf(cleo, project.id)], expected, `at ${level}`)
    t.equal((await call('DELETE', `${path}/share/${team.id}`)).status, 204)
  }
})

t.test('the members of a share are in the lists of projects, groups and members', async t => {
  const { call, ann, bob, cleo, shop, team, path, project } = await openShare(t)
  const ids = async ({ call }: Person, list: string) => (await call('GET', list)).body.map(({ id }: { id: number }) => id)

  t.same(await ids(ann, '/projects?membership=true'), [])
  await call('POST', `${path}/share`, { group_id: team.id, group_access: 30 })
  t.same(await ids(ann, '/projects?membership=true'), [project.id])
  t.same(await ids(ann, '/projects?min_access_level=30'), [project.id])
  t.same(await ids(ann, '/projects?min_access_level=40'), [])
  t.same(await ids(bob, '/projects?min_access_level=30'), [])
  t.same((await ids(ann, '/groups')).includes(shop.id), true, 'the group of the project is visible')
  t.same(await ids(ann, `/groups/${team.id}/projects`), [project.id])
  t.same(await ids(ann, `/groups/${team.id}/projects?with_shared=false`), [])
  hasExactly(t, (await ann.call('GET', `/groups/${team.id}`)).body, { projects: [], shared_projects: [{ id: project.id }] })
  hasExactly(t, (await call('GET', `${path}/members/all`)).body, [
    { username: 'root', access_level: 50 },
    { username: 'ann', access_level: 30 },
    { username: 'bob', access_level: 20 },
    { username: 'cleo', access_level: 30 }
  ])
  t.same(
    (await call('GET', `${path}/members`)).body.filter(({ username }: { username: string }) => username !== 'root'),
    [],
    'they are not direct members'
  )
  hasExactly(t, (await ann.call('GET', path)).body, { permissions: { project_access: null, group_access: { access_level: 30 } } })
  t.equal((await call('POST', `${path}/issues`, { title: 'T', assignee_ids: [cleo.id] })).status, 201, 'they can be assigned')
})

t.test('a group share reaches everything in the group, for direct members of the other group', async t => {
  const { call, ann, cleo, shop, team, project } = await openShare(t)

  t.hasStrict((await call('POST', `/groups/${shop.id}/share`, { group_id: team.id, group_access: 30 })).body, {
    id: shop.id,
    shared_with_groups: [
      { group_id: team.id, group_name: 'team', group_full_path: 'company/team', group_access_level: 30, expires_at: null }
    ]
  })
  t.same(await rightsOf(ann, project.id), roles[30])
  t.same(await rightsOf(cleo, project.id), none, 'the owner of the company is not a direct member of the team')
  t.equal((await ann.call('POST', '/projects', { name: 'New', namespace_id: shop.id })).status, 201, 'developers create projects')
  t.equal((await ann.call('PUT', `/groups/${shop.id}`, { description: 'D' })).status, 403)
  t.equal((await ann.call('DELETE', `/groups/${shop.id}/share/${team.id}`)).status, 403)
  t.equal((await call('DELETE', `/groups/${shop.id}/share/${team.id}`)).status, 204)
  t.same(await rightsOf(ann, project.id), none)
})

t.test('shares are not passed on, end after their last day, and reach no bots', async t => {
  const { call, platform, ann, shop, company, team, path, project } = await openShare(t)
  const { body: token } = await call('POST', `/groups/${team.id}/access_tokens`, { name: 'T', scopes: ['api'], access_level: 40 })
  const asBot = () => call('GET', path, undefined, token.token)

  await call('POST', `/groups/${company.id}/share`, { group_id: team.id, group_access: 50 })
  await call('POST', `${path}/share`, { group_id: company.id, group_access: 50 })
  t.same(await rightsOf(ann, project.id), none, 'ann is in the company only through a share')
  await call('POST', `${path}/share`, { group_id: team.id, group_access: 20, expires_at: '2999-12-31' })
  t.same(await rightsOf(ann, project.id), roles[20])
  t.equal((await asBot()).status, 404)
  await platform.pool.query(`UPDATE group_shares SET expires_at = now() - interval '2 days' WHERE expires_at IS NOT NULL`)
  t.same(await rightsOf(ann, project.id), none)
  hasExactly(t, (await call('GET', path)).body.shared_with_groups, [{ group_id: company.id }])
  t.equal((await call('POST', `${path}/share`, { group_id: team.id, group_access: 30 })).status, 201, 'an expired share is replaced')
  t.same(await rightsOf(ann, project.id), roles[30])
  await call('DELETE', `/groups/${team.id}/members/${ann.id}`)
  t.same(await rightsOf(ann, project.id), none, 'who leaves the group loses the access')
  t.equal((await call('DELETE', `/groups/${shop.id}`)).status, 202)
})

t.test('sharing needs the role, a visible group, and is done once', async t => {
  const { call, ann, bob, shop, company, team, path } = await openShare(t)
  const share = (person: Person, group_id: number, group_access: number) => person.call('POST', `${path}/share`, { group_id, group_access })

  await call('POST', `${path}/members`, { user_id: ann.id, access_level: 40 })
  await call('POST', `${path}/members`, { user_id: bob.id, access_level: 30 })
  t.equal((await share(bob, team.id, 10)).status, 403, 'developers do not share')
  t.equal((await share(ann, team.id, 50)).status, 403, 'maintainers give no more than their own role')
  const hidden = (await call('POST', '/groups', { name: 'hidden', path: 'hidden' })).body
  t.hasStrict(await share(ann, hidden.id, 10), { status: 404, body: { message: '404 Group Not Found' } })
  t.equal((await share(ann, team.id, 33)).status, 400)
  t.hasStrict(await share(ann, team.id, 30), { status: 201, body: { group_id: team.id, group_access: 30, expires_at: null } })
  t.hasStrict(await share(ann, team.id, 30), { status: 409, body: { message: 'The group already has access' } })
  hasExactly(t, (await call('GET', path)).body.shared_with_groups, [{ group_id: team.id, group_access_level: 30 }])
  t.equal((await call('POST', `${path}/share`, { group_id: shop.id, group_access: 30 })).status, 409, 'the group that it is in')
  t.equal((await call('POST', `/groups/${shop.id}/share`, { group_id: shop.id, group_access: 30 })).status, 409)
  t.hasStrict(await call('DELETE', `${path}/share/${company.id}`), { status: 404, body: { message: '404 Group Link Not Found' } })
  t.equal((await bob.call('DELETE', `${path}/share/${team.id}`)).status, 403)
  const events = (await call('GET', `${path}/audit_events`)).body.map(({ event_name: name }: { event_name: string }) => name)
  t.same(
    events.filter((name: string) => name.startsWith('group_share')),
    ['group_share_added']
  )
})

t.test('strangers do not learn which private groups a public project is shared with', async t => {
  const { call, ann, team } = await openShare(t)
  const { body: open } = await call('POST', '/projects', { name: 'Open', visibility: 'public' })

  await call('POST', `/projects/${open.id}/share`, { group_id: team.id, group_access: 10 })
  t.same((await call('GET', `/projects/${open.id}`, undefined, null)).body.shared_with_groups, [])
  hasExactly(t, (await ann.call('GET', `/projects/${open.id}`)).body.shared_with_groups, [{ group_id: team.id }])
})

t.test('a share of owner level does not count as an owner of the group', async t => {
  const { call, shop, team } = await openShare(t)

  await call('POST', `/groups/${shop.id}/share`, { group_id: team.id, group_access: 50 })
  t.hasStrict(await call('DELETE', `/groups/${shop.id}/members/1`), {
    status: 400,
    body: { message: { base: ['a group must keep at least one owner'] } }
  })
})

t.test('what is shared with a group is listed, and the groups that a project is shared with, directly or through its group', async t => {
  const { call, ann, cleo, shop, company, team, project, path } = await openShare(t)
  const ids = async (url: string, { call: ask }: { call: Person['call'] } = { call }) =>
    (await ask('GET', url)).body.map(({ id }: { id: number }) => id)

  t.same(await ids(`${path}/invited_groups`), [])
  t.same(await ids(`/groups/${team.id}/projects/shared`), [])
  await call('POST', `${path}/share`, { group_id: team.id, group_access: 30 })
  await call('POST', `/groups/${shop.id}/share`, { group_id: company.id, group_access: 20 })
  t.same(await ids(`/groups/${team.id}/projects/shared`, ann), [project.id])
  t.same(await ids(`/groups/${shop.id}/projects/shared`), [])
  t.same((await ids(`${path}/invited_groups`)).toSorted(), [company.id, team.id].toSorted())
  t.same(await ids(`${path}/invited_groups?relation=direct`), [team.id])
  t.same(await ids(`${path}/invited_groups?relation[]=inherited`), [company.id])
  t.same((await ids(`${path}/invited_groups?min_access_level=50`, cleo)).toSorted(), [company.id, team.id].toSorted())
  t.same(await ids(`${path}/invited_groups?min_access_level=50`, ann), [])
})
