import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually } from '../support/world.ts'

t.test('messages are listed latest first, as in GitLab, and exceptions are not', async t => {
  const { send, call, path, project, app, untilStored } = await openProject(t)
  const at = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
  const first = {
    event_id: anEventId(),
    level: 'warning',
    timestamp: at(30),
    release: 'shop@1',
    environment: 'testing',
    platform: 'python'
  }

  await send(anEnvelope({ ...first, logentry: { message: 'paper %s', params: ['low'] } }))
  await send(anEnvelope({ event_id: anEventId(), timestamp: at(20), message: 'paper out' }))
  await send(anEnvelope({ ...anException('Jam'), event_id: anEventId(), timestamp: at(10) }))
  await untilStored(3)
  const { body } = await call('GET', `${path}/messages`)

  hasExactly(t, body, [{ message: 'paper out' }, { message: 'paper low' }])
  t.same(body[1], {
    project_id: project.id,
    event_id: first.event_id,
    timestamp: first.timestamp,
    level: 'warning',
    message: 'paper low',
    release: 'shop@1',
    environment: 'testing',
    platform: 'python'
  })
  const headers = { 'private-token': 'glpat-root-token-for-the-tests' }
  const response = await app.inject({ url: `/errortracking/api/v1/projects/${project.id}/messages?limit=1`, headers })

  hasExactly(t, response.json(), [{ message: 'paper out' }])
})

t.test('a deleted error is gone with its events, and the same error later is a new one', async t => {
  const { send, call, work, path, platform, project, untilStored, errors } = await openProject(t)
  const attachment = '{"type":"attachment","length":1}\nx\n'
  const rows = async () => {
    const counts = ['error_groups', 'error_hashes', 'error_events', 'error_attachments', 'error_hourly_counts'].map(
      table => `(SELECT count(*)::int FROM ${table}) AS ${table}`
    )

    return (await platform.pool.query(`SELECT ${counts}`)).rows[0]
  }

  await send(anEnvelope(anException('Gone')) + attachment)
  await send(anEnvelope(anException('Gone')))
  await send(anEnvelope(anException('Kept')) + attachment)
  const deleted = (await untilStored(3)).find(({ name }: { name: string }) => name === 'Gone')
  const url = `${path}/errors/${deleted.fingerprint}`

  await eventually(async () => (await rows()).error_attachments === 2, 'the attachments are stored')
  t.equal((await call('DELETE', url)).status, 204)
  t.equal((await call('DELETE', url)).status, 404, 'once')
  t.equal((await call('GET', url)).status, 404)
  hasExactly(t, await errors(), [{ name: 'Kept' }])
  await work('maintenance')
  await eventually(async () => (await rows()).error_hourly_counts === 1, 'the events are deleted')
  t.same(await rows(), { error_groups: 1, error_hashes: 1, error_events: 1, error_attachments: 1, error_hourly_counts: 1 })
  const { body: audited } = await call('GET', `/projects/${project.id}/audit_events`)

  t.hasStrict(audited[0], { event_name: 'error_deleted', details: { target_details: 'Gone' } })

  await send(anEnvelope(anException('Gone')))
  const recreated = (await untilStored(2)).find(({ name }: { name: string }) => name === 'Gone')

  t.not(recreated.fingerprint, deleted.fingerprint)
  t.equal(recreated.event_count, 1)
})

t.test('several errors are changed at once, all or none', async t => {
  const { send, call, path, untilStored } = await openProject(t)

  for (const type of ['A', 'B', 'C']) await send(anEnvelope(anException(type, 'broke', [type])))
  const [one, two, three] = (await untilStored(3)).map(({ fingerprint }: { fingerprint: number }) => fingerprint)
  const statuses = async () =>
    (await call('GET', `${path}/errors?status=all`)).body
      .sort((a: { fingerprint: number }, b: { fingerprint: number }) => a.fingerprint - b.fingerprint)
      .map(({ status }: { status: string }) => status)
  const expected = (changed: number[], status: string) =>
    [one, two, three].toSorted((a, b) => a - b).map(id => (changed.includes(id) ? status : 'unresolved'))
  const { status, body } = await call('PUT', `${path}/errors`, { fingerprints: [two, one], status: 'resolved' })

  t.equal(status, 200)
  t.same(
    body.map(({ fingerprint, status }: { fingerprint: number; status: string }) => [fingerprint, status]),
    [one, two].sort((a, b) => a - b).map(id => [id, 'resolved'])
  )
  t.same(await statuses(), expected([one, two], 'resolved'))

  t.hasStrict(await call('PUT', `${path}/errors`, { fingerprints: [one, two, 999_999], status: 'unresolved' }), { status: 400 })
  t.same(await statuses(), expected([one, two], 'resolved'), 'none is changed')
  for (const body of [{ fingerprints: [], status: 'resolved' }, { fingerprints: [three] }, { status: 'resolved' }])
    t.equal((await call('PUT', `${path}/errors`, body)).status, 400, JSON.stringify(body))
  t.same(await statuses(), expected([one, two], 'resolved'))
})
