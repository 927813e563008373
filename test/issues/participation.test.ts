import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { aMember } from '../notifications/people.ts'
import { aPerson } from '../projects/people.ts'
import { without } from '../support/extras.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, openApp, rootToken } from '../support/world.ts'

const bodies = ({ body }: { body: { body: string }[] }) => body.map(({ body }) => body)

t.test('time is estimated and spent in days of eight hours', { skip: without('planning') }, async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/issues/1`
  const post = (verb: string, body: object = {}) => call('POST', `${path}/${verb}`, body)

  await call('POST', `/projects/${project.id}/issues`, { title: 'One' })
  for (const [duration, seconds, text] of [
    ['1h 30m', 5400, '1h 30m'],
    ['1mo 2w 3d 4h 5m 6s', 576_000 + 288_000 + 86_400 + 14_706, '1mo 2w 3d 4h 5m 6s'],
    ['8h', 28_800, '1d'],
    ['5 days', 144_000, '1w'],
    ['1.5', 5400, '1h 30m'],
    ['0', 0, null]
  ] as const) {
    hasExactly(t, await post('time_estimate', { duration }), {
      status: 200,
      body: { time_estimate: seconds, human_time_estimate: text, total_time_spent: 0, human_total_time_spent: null }
    })
  }
  hasExactly(t, await post('add_spent_time', { duration: '1d', summary: 'Tried' }), { status: 201, body: { total_time_spent: 28_800 } })
  hasExactly(t, await post('add_spent_time', { duration: '-2h' }), { status: 201, body: { human_total_time_spent: '6h' } })
  for (const duration of ['-7h', '0', 'soon', '', '1x', '-', '9999999y', '1h;']) {
    t.equal((await post('add_spent_time', { duration })).status, 400, duration)
  }
  t.equal((await post('time_estimate', { duration: '-1h' })).status, 400)
  await post('time_estimate', { duration: '2h' })
  hasExactly(t, (await call('GET', path)).body.time_stats, { time_estimate: 7200, total_time_spent: 21_600 })
  hasExactly(t, await post('reset_time_estimate'), { status: 200, body: { time_estimate: 0, human_time_estimate: null } })
  for (const _ of [1, 2]) hasExactly(t, await post('reset_spent_time'), { status: 200, body: { total_time_spent: 0 } })
  t.same((await call('GET', `${path}/time_stats`)).body, {
    time_estimate: 0,
    total_time_spent: 0,
    human_time_estimate: null,
    human_total_time_spent: null
  })
  t.same(bodies(await call('GET', `${path}/notes?sort=asc`)).slice(-6), [
    'removed time estimate',
    'added 1d of time spent: Tried',
    'subtracted 2h of time spent',
    'changed time estimate to 2h',
    'removed time estimate',
    'removed time spent'
  ])
})

t.test('subscribers get mail about an issue, and who unsubscribed only when mentioned', async t => {
  const smtp = await openSmtpServer(t)
  const world = await openApp(t, { env: { SMTP_URL: smtp.url } })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/issues`
  const [ann, bob] = [await aMember(world, project.id, 'ann', 30), await aMember(world, project.id, 'bob', 30)]
  const subjects = (name: string) => smtp.letters.filter(({ to }) => to[0] === `${name}@example.com`).length

  await world.work('deliveries')
  await ann.call('POST', path, { title: 'One' })
  await eventually(async () => {
    const { rows } = await world.platform.pool.query('SELECT dispatched_at FROM outbox')

    return rows.length > 0 && rows.every(row => row.dispatched_at)
  }, 'the issue is dispatched before others subscribe to it')
  t.equal((await ann.call('GET', `${path}/1`)).body.subscribed, true, 'authors are')
  t.equal((await bob.call('GET', `${path}/1`)).body.subscribed, false)
  t.equal((await bob.call('POST', `${path}/1/unsubscribe`)).status, 304)
  hasExactly(t, await bob.call('POST', `${path}/1/subscribe`), { status: 201, body: { iid: 1, subscribed: true } })
  t.equal((await bob.call('POST', `${path}/1/subscribe`)).status, 304, 'twice is once')
  hasExactly(t, await ann.call('POST', `${path}/1/unsubscribe`), { status: 201, body: { subscribed: false } })
  await world.call('POST', `${path}/1/notes`, { body: 'A comment' })
  await eventually(() => subjects('bob') === 1, 'the subscriber gets mail')
  await world.call('POST', `${path}/1/notes`, { body: 'Look, @ann' })
  await eventually(() => subjects('bob') === 2 && subjects('ann') === 1, 'so does who is mentioned')
})

t.test('an issue is moved with its comments, once, and to where its mover is a reporter', { skip: without('planning') }, async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const create = async (name: string) => (await call('POST', '/projects', { name })).body
  const [shop, till, secret] = [await create('Shop'), await create('Till'), await create('Secret')]

  for (const { id } of [shop, till]) await call('POST', `/projects/${id}/members`, { user_id: ann.id, access_level: 20 })
  await call('POST', `/projects/${till.id}/labels`, { name: 'bug', color: '#112233' })
  await call('POST', `/projects/${till.id}/milestones`, { title: '1.0' })
  const { body: milestone } = await call('POST', `/projects/${shop.id}/milestones`, { title: '1.0' })
  const path = `/projects/${shop.id}/issues`
  const values = { title: 'One', labels: 'bug,only here', milestone_id: milestone.id, confidential: true, assignee_ids: [ann.id] }
  const { body: issue } = await call('POST', path, values)
  await ann.call('POST', `${path}/1/notes`, { body: 'A comment' })
  const move = (to: number) => ann.call('POST', `${path}/1/move`, { to_project_id: to })

  t.equal((await move(secret.id)).status, 404)
  t.equal((await move(shop.id)).status, 400)
  hasExactly(t, await move(till.id), {
    status: 201,
    body: {
      iid: 1,
      project_id: till.id,
      state: 'opened',
      labels: ['bug'],
      milestone: { title: '1.0' },
      confidential: true,
      author: { username: 'root' },
      assignees: [{ username: 'ann' }],
      user_notes_count: 1
    }
  })
  const { body: moved } = await call('GET', `/projects/${till.id}/issues/1`)
  hasExactly(t, (await call('GET', `${path}/1`)).body, { id: issue.id, state: 'closed', moved_to_id: moved.id })
  t.match(await move(till.id), { status: 400, body: { message: /moved already/ } })
  t.same(bodies(await call('GET', `/projects/${till.id}/issues/1/notes`)).slice(0, 2), ['moved from another project', 'A comment'])
  t.same(bodies(await call('GET', `${path}/1/notes`)).slice(0, 2), ['closed', 'moved to another project'])
  hasExactly(t, await ann.call('POST', `${path}/1/clone`, { to_project_id: shop.id, with_notes: true }), {
    status: 201,
    body: { iid: 2, author: { username: 'ann' }, state: 'opened', labels: ['bug', 'only here'], user_notes_count: 1 }
  })
  await call('POST', `/projects/${till.id}/archive`)
  t.equal((await ann.call('POST', `${path}/2/move`, { to_project_id: till.id })).status, 403)
})

t.test('a GitLab client lists, tracks, moves, follows and deletes issues', { skip: without('planning') }, async t => {
  const { app, config } = await openApp(t)
  const host = await listen(app)
  config.baseUrl = host
  const gitlab = new Gitlab({ host, token: rootToken })
  const group = await gitlab.Groups.create('Team', 'team')
  const { id } = await gitlab.Projects.create({ name: 'Shop', namespaceId: group.id })
  const other = await gitlab.Projects.create({ name: 'Till', namespaceId: group.id })
  const issue = await gitlab.Issues.create(id, 'One', { confidential: true })

  hasExactly(t, await gitlab.Issues.all({ scope: 'all', not: { labels: 'bug' } } as object), [{ title: 'One', confidential: true }])
  hasExactly(t, await gitlab.Issues.all({ groupId: group.id }), [{ title: 'One' }])
  hasExactly(t, await gitlab.Issues.show(issue.id), { iid: 1 })
  hasExactly(t, await gitlab.Issues.addTimeEstimate(id, 1, '1h'), { time_estimate: 3600 })
  hasExactly(t, await gitlab.Issues.addSpentTime(id, 1, '30m'), { human_total_time_spent: '30m' })
  hasExactly(t, await gitlab.Issues.showTimeStats(id, 1), { total_time_spent: 1800 })
  hasExactly(t, await gitlab.Issues.resetTimeEstimate(id, 1), { time_estimate: 0 })
  hasExactly(t, await gitlab.Issues.resetSpentTime(id, 1), { total_time_spent: 0 })
  hasExactly(t, await gitlab.Issues.unsubscribe(id, 1), { subscribed: false })
  hasExactly(t, await gitlab.Issues.subscribe(id, 1), { subscribed: true })
  hasExactly(t, await gitlab.Issues.move(id, 1, other.id), { project_id: other.id, iid: 1 })
  hasExactly(t, await gitlab.Issues.clone(other.id, 1, id), { project_id: id, iid: 2 })
  await gitlab.Issues.remove(id, 2)
  t.same((await gitlab.Issues.all({ projectId: id })).length, 1)
})
