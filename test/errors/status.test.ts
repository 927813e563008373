import t, { type Test } from 'tap'
import { receiveEnvelopes } from '#errors/jobs.ts'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

/** A project with one error of release shop@1.2.0, and means to change it and to send further events. */
async function openError(t: Test, first: object = { release: 'shop@1.2.0' }) {
  const world = await openProject(t)
  const { call, path, project, key, platform, send, untilStored } = world
  const job = (event: object, eventId = anEventId()) => ({
    projectId: project.id,
    keyId: key.id,
    receivedAt: new Date().toISOString(),
    id: anEventId(),
    encoding: '',
    body: Buffer.from(anEnvelope({ ...anException(), event_id: eventId, ...event }))
  })
  /** Runs a job with these envelopes to its end. */
  const receive = async (...items: ReturnType<typeof job>[]) => {
    await platform.queues.enqueueBatch(receiveEnvelopes, 'errors', items)
    await eventually(
      async () => (await platform.queues.get('errors').getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed')) === 0,
      'the job is done'
    )
  }

  await send(anEnvelope({ ...anException(), event_id: anEventId(), ...first }))
  const [{ fingerprint }] = await untilStored(1)
  const show = async () => (await call('GET', `${path}/errors/${fingerprint}`)).body
  const change = (changes: object) => call('PUT', `${path}/errors/${fingerprint}`, changes)
  /** The status after an event. */
  const statusAfter = async (event: object) => {
    await receive(job(event))
    return (await show()).status
  }

  return { ...world, fingerprint, job, receive, show, change, statusAfter }
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

t.test('an event reopens a resolved error, unless it is older than the resolution', async t => {
  const { show, change, statusAfter } = await openError(t)

  t.equal(await statusAfter({}), 'unresolved')
  t.equal((await show()).regressed_at, null, 'an open error does not regress')
  const { body } = await change({ status: 'resolved' })
  t.equal(body.status, 'resolved')
  t.not(body.resolved_at, null)
  t.equal(await statusAfter({ timestamp: hoursAgo(1) }), 'resolved')
  t.equal((await show()).regressed_at, null)
  t.equal(await statusAfter({}), 'unresolved')
  const reopened = await show()
  t.equal(reopened.resolved_at, null)
  t.not(reopened.regressed_at, null)
  t.equal(reopened.event_count, 4)
})

t.test('only events of newer releases reopen an error that is resolved in a release', async t => {
  const { show, change, statusAfter } = await openError(t)
  const inRelease = async () => {
    const { resolved_in, is_resolved_in_next } = await show()
    return [resolved_in, is_resolved_in_next]
  }

  await change({ status: 'resolved', resolved_in: 'shop@1.10.0' })
  t.same(await inRelease(), ['shop@1.10.0', false])
  for (const release of ['shop@1.9.0', 'shop@1.10.0', undefined]) t.equal(await statusAfter({ release }), 'resolved', String(release))
  t.equal(await statusAfter({ release: 'shop@1.11.0' }), 'unresolved')
  t.same(await inRelease(), [null, false])

  await change({ status: 'resolved', resolved_in: 'next' })
  t.same(await inRelease(), ['shop@1.11.0', true])
  t.equal(await statusAfter({ release: 'shop@1.11.0' }), 'resolved')
  t.equal(await statusAfter({ release: 'shop@2.0.0' }), 'unresolved')
})

t.test('the next release is newer than the newest of the same package', async t => {
  const { show, change, statusAfter, receive, job } = await openError(t)

  // Another error has newer releases.
  await receive(job({ ...anException('OtherError'), release: 'shop@2.1.0' }), job({ ...anException('OtherError'), release: 'tool@9.0.0' }))
  await change({ status: 'resolved', resolved_in: 'next' })
  t.equal((await show()).resolved_in, 'shop@2.1.0')
  t.equal(await statusAfter({ release: 'shop@2.1.0' }), 'resolved')
  t.equal(await statusAfter({ release: 'shop@2.2.0' }), 'unresolved')
})

t.test('without releases, the first release is the next', async t => {
  const { change, statusAfter } = await openError(t, {})
  const { body } = await change({ status: 'resolved', resolved_in: 'next' })

  t.same([body.resolved_in, body.is_resolved_in_next], [null, true])
  t.equal(await statusAfter({}), 'resolved')
  t.equal(await statusAfter({ release: 'shop@1.0.0' }), 'unresolved')
})

t.test('an event does not reopen an ignored error before its time or number of events is over', async t => {
  const { change, show, statusAfter, platform, fingerprint } = await openError(t)

  await change({ status: 'ignored' })
  t.equal(await statusAfter({ release: 'shop@9.0.0' }), 'ignored')
  await change({ status: 'ignored', ignored_for_events: 2 })
  t.equal((await show()).ignored_until_events, 4)
  t.equal(await statusAfter({}), 'ignored')
  t.equal(await statusAfter({}), 'unresolved')
  await change({ status: 'ignored', ignored_for_users: 2 })
  t.equal(await statusAfter({ user: { id: 'ann' } }), 'ignored')
  t.equal(await statusAfter({ user: { id: 'ann' } }), 'ignored', 'the same user counts once')
  t.equal(await statusAfter({ user: { id: 'bob' } }), 'unresolved')
  await change({ status: 'ignored', ignored_for: 60 })
  t.equal(await statusAfter({}), 'ignored')
  await platform.pool.query(`UPDATE error_groups SET ignored_until = now() - interval '1 second' WHERE id = $1`, [fingerprint])
  t.equal(await statusAfter({}), 'unresolved')
})

t.test('an event reopens no other error of its batch', async t => {
  const { change, show, receive, job, errors } = await openError(t)

  await change({ status: 'resolved', resolved_in: 'shop@1.2.0' })
  await receive(job({ release: 'shop@1.2.0' }), job({ ...anException('OtherError'), release: 'shop@1.3.0' }))
  t.equal((await show()).status, 'resolved')
  t.same(
    (await errors()).map(({ name }: { name: string }) => name),
    ['OtherError']
  )
})

t.test('a repeated job neither counts its events again nor reopens their error', async t => {
  const { change, show, receive, job, call, path } = await openError(t)
  const items = [job({ release: 'shop@1.3.0', user: { id: 'ann' } }), job({ release: 'shop@1.3.0', user: { id: 'bob' } })]

  await receive(...items)
  const before = await show()
  const { body: stats } = await call('GET', `${path}/stats`)

  t.same([before.event_count, before.approximated_user_count], [3, 2])
  await change({ status: 'resolved', resolved_in: 'shop@1.2.0' })
  await receive(...items)
  const after = await show()

  t.same([after.status, after.event_count, after.approximated_user_count], ['resolved', 3, 2])
  t.same(after.stats, before.stats)
  t.same((await call('GET', `${path}/stats`)).body, stats)
})

t.test('an event with the id of another one is dropped: it creates and reopens no error', async t => {
  const { change, show, receive, job, errors, call, path } = await openError(t)
  const id = anEventId()
  const first = job({ release: 'shop@1.2.0' }, id)

  await receive(first)
  await change({ status: 'resolved' })
  await receive(job(anException('Unrelated'), id), job({ release: 'shop@1.3.0' }, id))
  t.same(
    (await errors('?status=all')).map(({ name, event_count }: Record<string, unknown>) => [name, event_count]),
    [['TypeError', 2]]
  )
  t.equal((await show()).status, 'resolved')

  const twin = anEventId()
  await receive(job(anException('One'), twin), job(anException('Two'), twin))
  t.same(
    (await errors()).map(({ name, event_count }: Record<string, unknown>) => [name, event_count]),
    [['One', 1]]
  )
  t.same((await call('GET', `${path}/stats`)).body.days[0].dropped_by_reason, { duplicate: 3 })
})

t.test('an error without events has pages, too', async t => {
  const { call, path, platform, fingerprint } = await openError(t)

  // As while an unmerge moves its events.
  await platform.pool.query('UPDATE error_groups SET events = 0 WHERE id = $1', [fingerprint])
  await platform.pool.query('DELETE FROM error_events')
  t.equal((await call('GET', `${path}/errors/${fingerprint}`)).status, 200)
  for (const list of ['events', 'tags']) t.same((await call('GET', `${path}/errors/${fingerprint}/${list}`)).body, [])
  t.equal((await call('GET', `${path}/errors/${fingerprint}/events/latest`)).status, 404)
})

t.test('changes of an error are audited with the error and its project, and changes of status are activity', async t => {
  const { change, fingerprint, platform, project, call, path } = await openError(t)
  const statuses = ['resolved', 'resolved', 'ignored', 'unresolved']

  for (const status of statuses) t.equal((await change({ status })).body.status, status)
  // GitLab's clients name the project by its id, the audit event by its path.
  const { rows } = await platform.pool.query(
    `SELECT entity_type, entity_id, details FROM audit_events WHERE name = 'error_updated' ORDER BY id`
  )
  t.same(
    rows.map(({ entity_type, entity_id, details: { from, to, entity_path, target_type, target_id, target_details } }) => [
      entity_type,
      entity_id,
      entity_path,
      target_type,
      target_id,
      target_details,
      from ?? null,
      to ?? null
    ]),
    [
      ['unresolved', 'resolved'],
      [null, null],
      ['resolved', 'ignored'],
      ['ignored', 'unresolved']
    ].map(fromTo => ['Project', project.id, project.path_with_namespace, 'Error', fingerprint, 'TypeError', ...fromTo])
  )
  const { body: events } = await call('GET', `/projects/${project.id}/events?sort=asc&target_type=error`)

  t.same(
    events.map(({ action_name, target_id, author_username }: Record<string, unknown>) => [action_name, target_id, author_username]),
    ['closed', 'closed', 'reopened'].map(action => [action, fingerprint, 'root'])
  )
  t.equal((await call('PUT', `${path}/errors/${fingerprint}`, {})).status, 400)
  t.equal((await platform.pool.query(`SELECT FROM audit_events WHERE name = 'error_updated'`)).rowCount, statuses.length)
})
