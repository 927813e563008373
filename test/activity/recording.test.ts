import t from 'tap'
import { recordEvents } from '#activity/jobs.ts'
import { recordBatch } from '#activity/record-batch.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends, openApp } from '../support/world.ts'

onBothBackends(t, 'clients record one event, or up to a thousand', async (t, kind) => {
  const { call, work } = await openApp(t, { kind })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const url = `/projects/${project.id}/events`
  const list = async (query = '') => (await call('GET', `${url}?action=pushed&${query}`)).body

  await work('activity')
  const push = {
    commit_count: 2,
    action: 'pushed',
    ref_type: 'branch',
    commit_from: 'a1',
    commit_to: 'b2',
    ref: 'main',
    commit_title: 'Mend'
  }
  const accepted = { status: 202, body: { message: '202 Accepted' } }
  t.hasStrict(await call('POST', url, { action: 'pushed', push_data: push, created_at: '2026-11-01T12:00:00Z' }), accepted)
  const [event] = await eventually(async () => (await list()).length > 0 && list(), 'it is recorded')
  t.hasStrict(event, {
    action_name: 'pushed',
    push_data: push,
    author_username: 'root',
    created_at: '2026-11-01T12:00:00.000Z',
    target_id: null
  })

  const many = Array.from({ length: 1000 }, (_, n) => ({
    action: 'closed',
    target_type: 'issue',
    target_id: n,
    target_iid: n,
    target_title: `Issue ${n}`
  }))
  t.hasStrict(await call('POST', url, many), accepted)
  await eventually(async () => (await call('GET', `${url}?action=closed&page=50`)).body.length === 20, 'all are recorded')
  const { body: closed } = await call('GET', `${url}?action=closed&per_page=1`)
  hasExactly(t, closed, [{ action_name: 'closed', target_type: 'Issue', target_iid: 999, target_title: 'Issue 999' }], 'in their order')

  t.hasStrict(
    await call('POST', url, { action: 'commented', note: { body: 'Well done', noteable_type: 'issue', noteable_iid: 3 } }),
    accepted
  )
  const [comment] = await eventually(async () => {
    const { body } = await call('GET', `${url}?action=commented`)
    return body.length > 0 && body
  }, 'the comment is recorded')
  t.hasStrict(comment, {
    action_name: 'commented on',
    note: { body: 'Well done', noteable_type: 'Issue', noteable_iid: 3, author: { username: 'root' }, system: false }
  })
})

t.test('an invalid record refuses the whole request', async t => {
  const { call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const refused = async (body: object) => {
    const { status, body: answer } = await call('POST', `/projects/${project.id}/events`, body)
    t.equal(status, 400)
    return JSON.stringify(answer)
  }

  t.match(await refused({}), /action is missing/)
  t.match(await refused({ action: 'danced' }), /action does not have a valid value/)
  t.match(await refused({ action: 'closed', target_type: 'Issue' }), /target_type does not have a valid value/)
  t.match(await refused({ action: 'closed', target_title: 'x'.repeat(256) }), /target_title/)
  t.match(
    await refused([{ action: 'closed' }, { action: 'closed', note: { body: 'No comment' } }]),
    /"1":\{"note":\["belongs to the action commented"\]/
  )
  t.match(await refused([{ action: 'closed', push_data: {} }]), /"0":\{"push_data":\["belongs to the action pushed"\]/)
  t.match(await refused([]), /body/)
  t.match(await refused(Array(1001).fill({ action: 'closed' })), /body/)
  t.equal(await platform.queues.get('activity').getJobCountByTypes('waiting', 'prioritized'), 0)
})

t.test('a repeated batch adds nothing, and events of deleted projects are dropped', async t => {
  const { call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const item = {
    projectId: project.id,
    authorId: 1,
    id: 'a',
    receivedAt: new Date().toISOString(),
    records: [{ action: 'closed' as const }, { action: 'left' as const }]
  }
  const ahead = { ...item, id: 'b', records: [{ action: 'approved' as const, created_at: '2999-01-01T00:00:00Z' }] }
  const count = async () => (await platform.pool.query('SELECT count(*) FROM activity_events')).rows[0].count
  const before = await count()

  for (const _twice of [1, 2]) await recordBatch(platform.fork(), [item, ahead, { ...item, projectId: 0, id: 'c' }])
  t.equal(await count(), before + 3)
  hasExactly(t, (await call('GET', `/projects/${project.id}/events?action=approved`)).body, [{ created_at: item.receivedAt }])
  t.equal(recordEvents.queue, 'activity')
})
