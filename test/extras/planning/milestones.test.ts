import t from 'tap'
import { aPerson } from '../../projects/people.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { openApp } from '../../support/world.ts'

const titles = (rows: { title: string }[]) => rows.map(({ title }) => title)

async function openTeam(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { call } = world
  const { body: group } = await call('POST', '/groups', { name: 'team', path: 'team' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', namespace_id: group.id })

  return { ...world, group, project, own: `/projects/${project.id}/milestones`, issues: `/projects/${project.id}/issues` }
}

t.test('a milestone of a project or group is created, changed, closed and deleted', async t => {
  const { call, group, project, own } = await openTeam(t)

  for (const [path, owner, url] of [
    [own, { project_id: project.id }, 'http://tocsin.test/team/shop/-/milestones/1'],
    [`/groups/${group.id}/milestones`, { group_id: group.id }, 'http://tocsin.test/groups/team/-/milestones/1']
  ] as const) {
    const { status, body: milestone } = await call('POST', path, {
      title: '1.0',
      due_date: '2020-01-31T00:00:00Z',
      start_date: '2020-01-01'
    })
    const one = `${path}/${milestone.id}`

    t.equal(status, 201)
    hasExactly(t, milestone, {
      iid: 1,
      ...owner,
      title: '1.0',
      description: null,
      state: 'active',
      due_date: '2020-01-31',
      start_date: '2020-01-01',
      expired: true,
      web_url: url
    })
    t.same((await call('GET', one)).body, milestone)
    t.match(await call('POST', path, { title: '1.0' }), { status: 400, body: { message: { title: [/already being used/] } } })
    t.hasStrict(await call('PUT', one, { due_date: '2019-12-31' }), {
      status: 400,
      body: { message: { due_date: ['must be greater than start date'] } }
    })
    hasExactly(t, (await call('PUT', one, { due_date: '', description: 'D' })).body, { due_date: null, description: 'D', expired: false })
    t.equal((await call('PUT', one, { state_event: 'close' })).body.state, 'closed')
    t.equal((await call('PUT', one, { state_event: 'close' })).body.state, 'closed', 'twice is once')
    t.equal((await call('PUT', one, {})).status, 400)
    t.same(titles((await call('GET', `${path}?state=active`)).body), [])
    t.same((await call('GET', `${one}/issues`)).body, [])
    t.same((await call('GET', `${one}/merge_requests`)).body, [])
    t.equal((await call('DELETE', one)).status, 204)
    t.hasStrict(await call('GET', one), { status: 404, body: { message: '404 Milestone Not Found' } })
  }
  const { body: events } = await call('GET', `/projects/${project.id}/events?target_type=milestone`)
  t.same(
    events.map(({ action_name: name, target_title: title }: Record<string, string>) => [name, title]),
    [
      ['destroyed', '1.0'],
      ['closed', '1.0'],
      ['opened', '1.0']
    ]
  )
})

t.test('milestones are filtered and listed by due date', async t => {
  const { call, group, own } = await openTeam(t)

  await call('POST', own, { title: 'later', due_date: '2030-06-30', start_date: '2030-06-01' })
  await call('POST', own, { title: 'soon', due_date: '2030-01-31', description: 'with a Word' })
  await call('POST', own, { title: 'some day' })
  await call('POST', `/groups/${group.id}/milestones`, { title: 'of all' })
  const list = async (query: string) => titles((await call('GET', `${own}?${query}`)).body)

  t.same(await list(''), ['soon', 'later', 'some day'])
  t.same(await list('include_ancestors=true'), ['soon', 'later', 'of all', 'some day'])
  t.same(await list('iids[]=3'), ['some day'])
  t.same(await list('title=soon'), ['soon'])
  t.same(await list('search=word'), ['soon'])
  t.same(await list('search_title=o'), ['soon', 'some day'])
  t.same(await list('containing_date=2030-06-15'), ['later'])
  t.same(await list('updated_after=2999-01-01'), [])
})

t.test('issues have a milestone, which filters their list and leaves events', async t => {
  const { call, group, project, own, issues } = await openTeam(t)
  const { body: milestone } = await call('POST', own, { title: '1.0' })
  const { body: ofGroup } = await call('POST', `/groups/${group.id}/milestones`, { title: '2.0' })
  const { body: personal } = await call('POST', '/projects', { name: 'Personal' })
  const { body: foreign } = await call('POST', `/projects/${personal.id}/milestones`, { title: 'Foreign' })
  const list = async (query: string) => (await call('GET', `${issues}?${query}`)).body.map(({ iid }: { iid: number }) => iid)

  hasExactly(t, (await call('POST', issues, { title: 'A', milestone_id: milestone.id })).body, {
    milestone: { id: milestone.id, title: '1.0' }
  })
  await call('POST', issues, { title: 'B' })
  t.same(await list('milestone=1.0'), [1])
  t.same(await list('milestone=None'), [2])
  t.same(await list('milestone_id=Any'), [1])
  t.same(await list('milestone_id=none'), [2])
  for (const [start, due, upcoming, started] of [
    [null, null, [], []],
    ['2020-01-01', '2999-01-01', [1], [1]],
    ['2020-01-01', '2020-02-01', [], [1]],
    ['2998-01-01', '2999-01-01', [1], []]
  ] as const) {
    await call('PUT', `${own}/${milestone.id}`, { start_date: start, due_date: due })
    t.same([await list('milestone_id=Upcoming'), await list('milestone_id=Started')], [upcoming, started], `from ${start} to ${due}`)
  }
  await call('PUT', `${own}/${milestone.id}`, { state_event: 'close' })
  t.same([await list('milestone_id=Upcoming'), await list('milestone_id=Started')], [[], []], 'a closed milestone')
  await call('PUT', `${own}/${milestone.id}`, { state_event: 'activate' })
  t.hasStrict(await call('PUT', `${issues}/2`, { milestone_id: foreign.id }), {
    status: 400,
    body: { message: { milestone_id: ['is not a milestone of the project'] } }
  })
  await call('PUT', `${issues}/1`, { milestone_id: ofGroup.id })
  t.same(titles((await call('GET', `/groups/${group.id}/milestones/${ofGroup.id}/issues`)).body), ['A'])
  t.equal((await call('PUT', `${issues}/1`, { milestone_id: 0 })).body.milestone, null)
  t.equal((await call('PUT', `${issues}/1`, { milestone_id: 0 })).body.milestone, null, 'twice is once')
  const { body: events } = await call('GET', `${issues}/1/resource_milestone_events`)
  hasExactly(
    t,
    events,
    [
      ['add', '1.0'],
      ['remove', '1.0'],
      ['add', '2.0'],
      ['remove', '2.0']
    ].map(([action, title]) => ({ action, milestone: { title } }))
  )
  t.same((await call('GET', `${issues}/1/resource_milestone_events/${events[1].id}`)).body, events[1])
  await call('PUT', `${issues}/1`, { state_event: 'close' })
  await call('PUT', `${issues}/1`, { state_event: 'close' })
  await call('PUT', `${issues}/1`, { state_event: 'reopen' })
  hasExactly(t, (await call('GET', `${issues}/1/resource_state_events`)).body, [{ state: 'closed' }, { state: 'reopened' }])
  t.equal((await call('GET', `/projects/${project.id}/issues/1/notes?activity_filter=only_activity`)).body.length, 5)
})

t.test("a group's milestone shows the issues of projects where the caller is a reporter", async t => {
  const { call, group, issues, ...world } = await openTeam(t)
  const ann = await aPerson({ call, ...world }, 'ann')
  const { body: hidden } = await call('POST', '/projects', { name: 'Hidden', namespace_id: group.id })
  const { body: milestone } = await call('POST', `/groups/${group.id}/milestones`, { title: '1.0' })

  await call('POST', issues, { title: 'Visible', milestone_id: milestone.id })
  await call('POST', `/projects/${hidden.id}/issues`, { title: 'Hidden', milestone_id: milestone.id })
  await call('POST', issues.replace('issues', 'members'), { user_id: ann.id, access_level: 20 })
  t.same(titles((await ann.call('GET', `/groups/${group.id}/milestones/${milestone.id}/issues`)).body), ['Visible'])
  t.same(titles((await call('GET', `/groups/${group.id}/milestones/${milestone.id}/issues`)).body), ['Hidden', 'Visible'])
  t.equal((await ann.call('POST', `/groups/${group.id}/milestones`, { title: 'Mine' })).status, 403)
})

t.test('a milestone is promoted to its group together with those of the same title', async t => {
  const { call, group, own, issues } = await openTeam(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other', namespace_id: group.id })
  const { body: one } = await call('POST', own, { title: '1.0', due_date: '2030-01-31' })
  const { body: two } = await call('POST', `/projects/${other.id}/milestones`, { title: '1.0' })

  await call('POST', issues, { title: 'A', milestone_id: one.id })
  await call('POST', `/projects/${other.id}/issues`, { title: 'B', milestone_id: two.id })
  const { body: promoted } = await call('POST', `${own}/${one.id}/promote`)
  hasExactly(t, promoted, { title: '1.0', group_id: group.id, due_date: '2030-01-31' })
  t.equal((await call('POST', `${own}/${one.id}/promote`)).status, 404, 'twice is once')
  t.same(titles((await call('GET', `/groups/${group.id}/milestones/${promoted.id}/issues`)).body), ['B', 'A'])
})
