import { gzipSync } from 'node:zlib'
import t from 'tap'
import { anEnvelope, anEventId, anException, aProject } from '../support/factories.ts'

const attributes = { ...anException('Boom'), tags: [['region', 'eu']], breadcrumbs: [{ message: 'clicked' }], message: 'boom' }

t.test('a compressed event is stored as received, and read in the same shape as any other', async t => {
  const { send, untilStored, call, platform, project } = await aProject(t)
  const [plain, compressed] = [anEventId(), anEventId()]
  const body = gzipSync(anEnvelope({ ...attributes, event_id: compressed }))

  await send(anEnvelope({ ...attributes, event_id: plain }))
  await send(body, { 'content-encoding': 'gzip' })
  await untilStored(2)
  const { rows } = await platform.pool.query('SELECT payload FROM error_events WHERE event_id = $1', [compressed])
  const [group] = (await call('GET', `/projects/${project.id}/error_tracking/errors`)).body
  const { body: events } = await call('GET', `/projects/${project.id}/error_tracking/errors/${group.fingerprint}/events`)
  const [first, second] = events.map(({ payload }: { payload: string }) => JSON.parse(payload))

  t.ok(body.equals(rows[0].payload))
  t.same({ ...first, event_id: null, timestamp: null }, { ...second, event_id: null, timestamp: null })
  t.same([first.tags, first.breadcrumbs], [{ region: 'eu' }, { values: [{ message: 'clicked' }] }])
})
