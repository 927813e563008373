import t from 'tap'
import { dispatchBatch } from '../../src/notifications/deliveries/dispatch.ts'
import { anAlertedProject } from '../alerts/alerting.ts'
import { anEnvelope, anException, aProject } from '../support/factories.ts'
import { eventually, onBothBackends, type World } from '../support/world.ts'
import { aReceiver, aWebhookRule } from './receiver.ts'

const env = { OUTBOUND_PRIVATE_NETWORKS: 'true' }

onBothBackends(t, 'a new error is sent once to the webhook of a rule', async (t, kind) => {
  const { project, send, work, ...world } = await aProject(t, { kind, env })
  const receiver = await aReceiver(t)

  await aWebhookRule({ ...world, work }, project.id, receiver.url, ['error.new'])
  await work('deliveries')
  await send(anEnvelope(anException('TypeError', 'it broke')))
  await send(anEnvelope(anException('TypeError', 'it broke')))
  await eventually(() => receiver.requests.length > 0, 'the webhook is called')
  const { body } = receiver.requests[0]!

  t.equal(body.type, 'error.new')
  t.equal(body.data.total, 1)
  t.equal(body.data.occurrences[0].subject.title, 'TypeError: it broke')
  await eventually(async () => (await sentCount(world)) === 1, 'the delivery is sent')
  t.equal(receiver.requests.length, 1)
})

onBothBackends(t, 'what follows within the time to gather is one message', async (t, kind) => {
  const { project, send, work, platform, ...world } = await anAlertedProject(t, { kind, env })
  const receiver = await aReceiver(t)

  await aWebhookRule({ ...world, platform, work }, project.id, receiver.url, ['alert.triggered'])
  await work('deliveries')
  await send({ title: 'First', severity: 'low' })
  await eventually(() => receiver.requests.length === 1, 'the first goes out at once')
  for (let n = 0; n < 20; n++) await send({ title: `More ${n}`, severity: n === 7 ? 'critical' : 'low', fingerprint: `more-${n}` })
  await eventually(async () => (await gatheredCount(platform)) === 20, 'the others are gathered')
  t.equal(receiver.requests.length, 1)
  const { rows } = await platform.pool.query(`SELECT status FROM notification_deliveries ORDER BY id`)

  t.same(rows, [{ status: 'sent' }, { status: 'pending' }])
})

t.test('dispatching again adds nothing', async t => {
  const { project, send, platform, ...world } = await anAlertedProject(t, { env })
  const receiver = await aReceiver(t)

  await aWebhookRule({ ...world, platform }, project.id, receiver.url, ['alert.triggered'])
  await send({ title: 'Slow' })
  const options = { baseUrl: 'http://tocsin.test', hasMail: false }
  const first = await dispatchBatch(platform.fork(), options, new Date())
  const second = await dispatchBatch(platform.fork(), options, new Date())

  t.equal(first.deliveries.length, 1)
  t.equal(second.deliveries.length, 0)
})

async function sentCount({ platform }: Pick<World, 'platform'>) {
  const { rows } = await platform.pool.query(`SELECT count(*)::int AS count FROM notification_deliveries WHERE status = 'sent'`)

  return rows[0].count
}

async function gatheredCount(platform: World['platform']) {
  const { rows } = await platform.pool.query(
    `SELECT count(*)::int AS count FROM notification_delivery_entries e JOIN notification_deliveries d ON d.id = e.delivery_id WHERE d.status = 'pending'`
  )

  return rows[0].count
}
