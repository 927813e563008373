import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a client made for GitLab works unchanged', async t => {
  const { app, config, ...world } = await openApp(t)
  const host = await listen(app)

  // What `Link` says has to lead back here.
  config.baseUrl = host
  const ann = await aPerson(world, 'ann')
  const { Groups, Projects, GroupMembers, ProjectMembers, AuditEvents } = new Gitlab({ host, token: rootToken })

  const group = await Groups.create('Company', 'company', { visibility: 'internal' })
  const team = await Groups.create('Team', 'team', { parentId: group.id })
  t.hasStrict(await Groups.show('company/team'), { id: team.id, full_name: 'Company / Team', parent_id: group.id })
  t.hasStrict(await Groups.edit(team.id, { description: 'D' }), { description: 'D' })
  hasExactly(t, await Groups.allSubgroups(group.id), [{ id: team.id }])
  hasExactly(t, await Groups.allDescendantGroups(group.id, {}), [{ id: team.id }])
  hasExactly(t, await Groups.all<false, 'offset'>({ search: 'team' }), [{ id: team.id }])
  hasExactly(t, await Groups.all({ pagination: 'keyset', orderBy: 'name', sort: 'asc', perPage: 1 }), [{ id: group.id }, { id: team.id }])

  const project = await Projects.create({ name: 'Shop', namespaceId: team.id, topics: ['a', 'b'], initializeWithReadme: true })
  hasExactly(t, await Projects.show('company/team/shop'), { id: project.id, topics: ['a', 'b'] })
  t.hasStrict(await Projects.edit(project.id, { path: 'store', description: 'D' }), { path_with_namespace: 'company/team/store' })
  t.hasStrict(await Projects.show('company/team/shop'), { id: project.id }, 'a former path is followed')
  hasExactly(
    t,
    await Projects.all<false, 'offset'>({ search: 'store', membership: true, orderBy: 'name', minAccessLevel: 40, topic: 'a' }),
    [{ id: project.id }]
  )
  hasExactly(t, await Groups.allProjects(group.id, { includeSubgroups: true }), [{ id: project.id }])
  t.hasStrict(await Projects.archive(project.id), { archived: true })
  t.hasStrict(await Projects.unarchive(project.id), { archived: false })
  t.hasStrict(await Projects.transfer(project.id, 'company'), { path_with_namespace: 'company/store' })
  t.hasStrict(await Projects.create({ name: 'Hers', userId: ann.id }), { path_with_namespace: 'ann/hers' })
  hasExactly(t, await Projects.all({ userId: 'ann' }), [{ name: 'Hers' }])

  for (const [Members, id] of [
    [GroupMembers, group.id],
    [ProjectMembers, project.id]
  ] as const) {
    t.hasStrict(await Members.add(id, 30, { userId: ann.id, expiresAt: '2099-01-01' }), {
      id: ann.id,
      access_level: 30,
      expires_at: '2099-01-01'
    })
    await t.rejects(Members.add(id, 30, { userId: ann.id }), { message: 'Member already exists', cause: { response: { status: 409 } } })
    t.hasStrict(await Members.edit(id, ann.id, 40), { access_level: 40 })
    t.hasStrict(await Members.show(id, ann.id), { username: 'ann' })
    t.hasStrict(await Members.show(id, ann.id, { includeInherited: true }), { username: 'ann' })
    t.equal((await Members.all(id, { query: 'ann' })).length, 1)
    t.equal((await Members.all(id, { includeInherited: true })).length, 2)
    if (Members === ProjectMembers) await Members.remove(id, ann.id)
  }

  const events = await AuditEvents.all({ projectId: project.id, pagination: 'keyset', orderBy: 'id', sort: 'desc', perPage: 2 })
  t.same(
    events.map(({ event_name: name }) => name),
    [
      'member_removed',
      'member_updated',
      'member_added',
      'project_transferred',
      'project_unarchived',
      'project_archived',
      'project_renamed',
      'project_created'
    ]
  )
  t.hasStrict(await AuditEvents.show(events[0]!.id, { projectId: project.id }), { event_name: 'member_removed' })
  t.ok((await AuditEvents.all({ groupId: group.id })).length > 0)
  t.ok((await AuditEvents.all({ entityType: 'Group', createdAfter: '2020-01-01' })).length > 0)

  await Projects.remove(project.id)
  await Groups.remove(group.id)
  await t.rejects(Groups.show(team.id), { message: '404 Group Not Found' })
})

t.test('keyset pages of ten thousand projects have no gap or repeat while projects are created', async t => {
  const { app, config, platform } = await openApp(t)
  const host = await listen(app)
  const { pool } = platform
  const insert = (from: number, to: number) =>
    pool.query(
      `INSERT INTO projects (namespace_id, name, path, full_path)
       SELECT 1, 'Project ' || n, 'p' || n, 'root/p' || n FROM generate_series($1::int, $2::int) n`,
      [from, to]
    )

  config.baseUrl = host
  await insert(1, 10_000)
  await pool.query('ANALYZE projects')
  const before = (await pool.query('SELECT id FROM projects ORDER BY id')).rows.map(({ id }) => id as number)
  const { Projects } = new Gitlab({ host, token: rootToken })

  for (const [sort, first] of [
    ['asc', 20_000],
    ['desc', 30_000]
  ] as const) {
    let isReading = true
    const reading = Projects.all({ pagination: 'keyset', orderBy: 'id', sort, perPage: 100, simple: true }).finally(() => {
      isReading = false
    })

    // Bounded, because ascending reads would never end.
    for (let n = first; isReading && n < first + 1000; n += 10) await insert(n, n + 9)
    const collected = (await reading).map(({ id }) => id)
    const distinct = new Set(collected)

    t.equal(distinct.size, collected.length, `no repeat, ${sort}`)
    t.same(before.filter(id => !distinct.has(id)).length, 0, `no gap, ${sort}`)
    t.same(
      collected,
      collected.toSorted((a, b) => (sort === 'asc' ? a - b : b - a))
    )
  }
})
