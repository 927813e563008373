import { gzipSync } from 'node:zlib'
import t from 'tap'
import { packEvent, readEvent } from '#errors/events/payload.ts'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'

const attributes = { ...anException('Boom'), tags: [['region', 'eu']], breadcrumbs: [{ message: 'clicked' }], message: 'boom' }

t.test('a compressed event is stored as received, and read in the same shape as any other', async t => {
  const { send, untilStored, call, platform, project } = await openProject(t)
  const [plain, compressed, aliased] = [anEventId(), anEventId(), anEventId()]
  const body = gzipSync(anEnvelope({ ...attributes, event_id: compressed }))
  const aliasedBody = gzipSync(anEnvelope({ ...attributes, event_id: aliased }))

  await send(anEnvelope({ ...attributes, event_id: plain }))
  await send(body, { 'content-encoding': 'gzip' })
  await send(aliasedBody, { 'content-encoding': 'x-gzip' })
  await untilStored(3)
  const storedPayload = async (id: string) =>
    (await platform.pool.query('SELECT payload FROM error_events WHERE event_id = $1', [id])).rows[0].payload
  const [group] = (await call('GET', `/projects/${project.id}/error_tracking/errors`)).body
  const { body: events } = await call('GET', `/projects/${project.id}/error_tracking/errors/${group.fingerprint}/events`)
  const [first, second, third] = events.map(({ payload }: { payload: string }) => JSON.parse(payload))

  t.ok(body.equals(await storedPayload(compressed)))
  t.notOk(aliasedBody.equals(await storedPayload(aliased)), 'an encoding that its bytes do not name is packed')
  for (const other of [second, third]) t.same({ ...other, event_id: null, timestamp: null }, { ...first, event_id: null, timestamp: null })
  t.same([first.tags, first.breadcrumbs], [{ region: 'eu' }, { values: [{ message: 'clicked' }] }])
})

t.test('breadcrumbs follow the clock that corrects their event', async t => {
  const crumbs = (...times: (string | undefined)[]) => ({
    values: times.map(timestamp => ({ message: 'clicked', ...(timestamp && { timestamp }) }))
  })
  const read = (occurredAt: string) =>
    readEvent({
      payload: packEvent({ timestamp: '2026-11-20T10:00:00Z', breadcrumbs: crumbs('2026-11-20T09:59:45Z', undefined) }),
      occurred_at: occurredAt
    })

  t.hasStrict(read('2026-11-20T12:00:00Z'), {
    timestamp: '2026-11-20T12:00:00.000Z',
    breadcrumbs: crumbs('2026-11-20T11:59:45.000Z', undefined)
  })
  t.hasStrict(read('2026-11-20T10:00:20Z'), { timestamp: '2026-11-20T10:00:00Z', breadcrumbs: crumbs('2026-11-20T09:59:45Z', undefined) })
})
