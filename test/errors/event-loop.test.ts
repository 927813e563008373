import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { onBothBackends } from '../support/world.ts'

onBothBackends(t, 'an error travels from the door to the API', async (t, kind) => {
  const { send, untilStored, call, path } = await openProject(t, { kind })
  const id = anEventId()
  const response = await send(anEnvelope({ event_id: id, ...anException(), environment: 'production', release: 'shop@1' }))

  t.equal(response.statusCode, 200)
  t.same(response.json(), { id })

  const [error] = await untilStored(1)
  t.hasStrict(error, {
    name: 'TypeError',
    description: 'it broke',
    actor: 'app.shop in inner',
    event_count: 1,
    status: 'unresolved',
    level: 'error'
  })

  const { body: events } = await call('GET', `${path}/errors/${error.fingerprint}/events`)
  hasExactly(t, events, [{ event_id: id, environment: 'production', release: 'shop@1', fingerprint: error.fingerprint }])
  t.equal(JSON.parse(events[0].payload).exception.values[0].type, 'TypeError')
})

onBothBackends(t, 'the same envelope twice is one event', async (t, kind) => {
  const { send, untilStored, count } = await openProject(t, { kind })
  const envelope = anEnvelope({ message: 'boom' })

  await send(envelope)
  await send(envelope)
  await send(anEnvelope({ message: 'another' }))
  await untilStored(2)

  t.equal(await count(), 2)
})
