import t from 'tap'
import { receiveEnvelopes, recordGroupChange } from '#errors/jobs.ts'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { eventually, onBothBackends } from '../support/world.ts'

onBothBackends(t, 'activity of errors is recorded once, however often the job runs', async (t, kind) => {
  const { call, path, project, key, platform, send, untilStored, work } = await openProject(t, { kind })
  const { queues } = platform
  const reported = async () => {
    const { body } = await call('GET', `/projects/${project.id}/events?sort=asc`)
    return body.filter((event: { action_name: string }) => event.action_name !== 'created')
  }
  const names = async () => (await reported()).map((event: { action_name: string }) => event.action_name)
  const item = (type: string) => ({
    projectId: project.id,
    keyId: key.id,
    receivedAt: new Date().toISOString(),
    id: anEventId(),
    encoding: '',
    body: Buffer.from(anEnvelope(anException(type)))
  })
  const items = [item('Boom'), item('Bang')]
  const isDone = async () => (await queues.get('errors').getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed')) === 0

  for (const _twice of [1, 2]) {
    await queues.enqueueBatch(receiveEnvelopes, 'errors', items)
    await eventually(isDone, 'the batch is worked')
  }
  t.equal(await queues.get('activity').getWaitingCount(), 1, 'one job for both, however often the batch is worked')
  await work('activity')
  await eventually(async () => (await reported()).length === 2, 'it is told')
  const errors = await untilStored(2)
  const { fingerprint } = errors.find((error: { name: string }) => error.name === 'Boom')
  const opened = (await reported()).sort((a: { target_id: number }, b: { target_id: number }) => a.target_id - b.target_id)
  t.same(
    opened.map((event: Record<string, unknown>) => [event.action_name, event.target_type, event.target_id, event.author]),
    errors
      .map(({ fingerprint }: { fingerprint: number }) => ['opened', 'Error', fingerprint, null])
      .sort((a: [string, string, number], b: [string, string, number]) => a[2] - b[2])
  )

  await call('PUT', `${path}/errors/${fingerprint}`, { status: 'resolved' })
  await call('PUT', `${path}/errors/${fingerprint}`, { status: 'resolved' })
  await call('POST', `${path}/errors/${fingerprint}/comments`, { body: 'Mended' })
  t.same(await names(), ['opened', 'opened', 'closed', 'commented on'])
  t.hasStrict((await reported())[3], {
    target_type: 'Note',
    author_username: 'root',
    note: { body: 'Mended', noteable_type: 'Error', noteable_id: fingerprint }
  })

  await send(anEnvelope({ ...anException('Boom'), timestamp: new Date(Date.now() + 1000).toISOString() }))
  await eventually(async () => (await reported()).length === 5, 'it came back')
  t.hasStrict((await reported())[4], { action_name: 'reopened', author: null })

  // The queue forgot that it had done it.
  const { rows } = await platform.pool.query('SELECT regressed_by FROM error_groups WHERE regressed_by IS NOT NULL')
  const news = {
    groupId: fingerprint,
    projectId: project.id,
    kind: 'regressed' as const,
    envelopeId: rows[0].regressed_by.replaceAll('-', '')
  }
  await queues.enqueue(recordGroupChange, news, { jobId: 'again' })
  await queues.enqueue(recordGroupChange, { ...news, groupId: 999_999 }, { jobId: 'gone' })
  await eventually(async () => (await queues.get('activity').getJobCountByTypes('waiting', 'active', 'delayed')) === 0, 'they are worked')
  t.equal((await reported()).length, 5)
  t.equal(await queues.get('activity').getFailedCount(), 0)
})

onBothBackends(t, 'events of a project that went away are counted, and their batch is stored', async (t, kind) => {
  const { call, key, project, platform, worker, work, count } = await openProject(t, { kind })
  const { body: doomed } = await call('POST', '/projects', { name: 'Doomed' })
  const job = (projectId: number, body: string) => ({
    projectId,
    keyId: key.id,
    receivedAt: new Date().toISOString(),
    id: anEventId(),
    encoding: '',
    body: Buffer.from(body)
  })
  const session = `{}\n{"type":"session"}\n${JSON.stringify({ sid: anEventId(), started: new Date().toISOString(), attrs: { release: 'a' } })}\n`
  const feedback = `{}\n{"type":"user_report"}\n${JSON.stringify({ event_id: anEventId(), comments: 'Oh', name: 'A', email: 'a@b.c' })}\n`
  const batch = [job(project.id, anEnvelope(anException())), ...[anEnvelope(), session, feedback].map(body => job(doomed.id, body))]

  await worker.close(1000)
  await platform.queues.enqueueBatch(receiveEnvelopes, 'errors', batch)
  await call('DELETE', `/projects/${doomed.id}`)
  await platform.queues.enqueueBatch(receiveEnvelopes, 'errors', batch)
  await work('errors')
  await eventually(async () => (await count()) === 1, 'what is not of it is stored')
  await eventually(
    async () => (await platform.queues.get('errors').getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed')) === 0,
    'all is worked'
  )
  const { rows } = await platform.pool.query(
    'SELECT category, reason, items FROM error_dropped_counts WHERE project_id = $1 ORDER BY category',
    [doomed.id]
  )

  t.same(
    rows,
    ['error', 'feedback', 'session'].map(category => ({ category, reason: 'project_gone', items: 1 }))
  )
  t.equal(await platform.queues.get('errors').getFailedCount(), 0)
})
