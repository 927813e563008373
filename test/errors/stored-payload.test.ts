import { gzipSync } from 'node:zlib'
import t from 'tap'
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
