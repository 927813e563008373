import t from 'tap'
import { giveUpDelivery } from '#notifications/deliveries/attempt-delivery.ts'
import { dispatchBatch } from '#notifications/deliveries/dispatch.ts'
import { sendDelivery } from '#notifications/deliveries/jobs.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import { openAlertedProject } from '../alerts/alerting.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends, type World } from '../support/world.ts'
import { aWebhookRule, openReceiver } from './receiver.ts'

onBothBackends(t, 'a new error is sent once to the webhook of a rule', async (t, kind) => {
  const { project, send, work, ...world } = await openProject(t, { kind })
  const receiver = await openReceiver(t)

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

onBothBackends(
  t,
  'what follows within the time to gather is one message that names its worst first, and a critical alert does not wait',
  async (t, kind) => {
    const { project, send, work, platform, ...world } = await openAlertedProject(t, { kind })
    const receiver = await openReceiver(t)

    await aWebhookRule({ ...world, platform, work }, project.id, receiver.url, ['alert.triggered'])
    await work('deliveries')
    await send({ title: 'First', severity: 'low' })
    await eventually(() => receiver.requests.length === 1, 'the first goes out at once')
    for (let n = 0; n < 20; n++) await send({ title: `More ${n}`, severity: n === 7 ? 'low' : 'info', fingerprint: `more-${n}` })
    await send({ title: 'Down', severity: 'critical' })
    await eventually(async () => (await gatheredCount(platform)) === 20, 'the others are gathered')
    await eventually(() => receiver.requests.length === 2, 'the critical one is sent at once')
    t.equal(receiver.requests[1]!.body.data.occurrences[0].subject.title, 'Down')
    for (const job of await platform.queues.get('deliveries').getDelayed()) await job.promote()
    await eventually(() => receiver.requests.length === 3, 'the time to gather is over')
    const { occurrences, total } = receiver.requests[2]!.body.data

    t.same([total, occurrences[0].subject.title], [20, 'More 7'])
  }
)

t.test('secrets in the text of an alert are not sent', async t => {
  const { project, send, work, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t)

  await aWebhookRule({ ...world, work }, project.id, receiver.url, ['alert.triggered'])
  await work('deliveries')
  await send({ title: 'Login failed', description: 'DATABASE_URL=postgres://app:hunter2secret@db/app was refused' })
  await eventually(() => receiver.requests.length > 0, 'the webhook is called')
  t.notMatch(receiver.requests[0]!.text, /hunter2secret/)
  t.match(receiver.requests[0]!.text, /was refused/)
})

t.test('a receiver that is busy gets the same message again, after the time that it names', async t => {
  const { project, send, call, work, platform, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t, { status: 429, headers: { 'retry-after': '3600' } }, { status: 200 })
  const delivery = async () =>
    (await platform.pool.query('SELECT id, status, attempts, answer, send_at FROM notification_deliveries')).rows[0]

  await aWebhookRule({ ...world, platform, work }, project.id, receiver.url, ['alert.triggered'])
  await work('deliveries')
  await send({ title: 'Slow' })
  const waiting = await eventually(
    async () => ((await delivery())?.attempts === 1 ? delivery() : undefined),
    'the first attempt is refused'
  )

  t.equal(waiting.status, 'retrying')
  t.equal(waiting.answer, '429 Too Many Requests')
  t.ok(waiting.send_at.getTime() > Date.now() + 3_000_000)
  await platform.pool.query("UPDATE notification_deliveries SET send_at = now() - interval '5 minutes'")
  await attemptAgain(platform.queues, { deliveryId: waiting.id, projectId: project.id, attempt: 1 })
  await eventually(async () => (await delivery()).status === 'sent', 'the second attempt is accepted')
  t.equal(receiver.requests[0]!.headers['webhook-id'], receiver.requests[1]!.headers['webhook-id'])
  const { log } = (await call('GET', `/projects/${project.id}/notification_deliveries/${waiting.id}`)).body

  t.same(
    log.map(({ status, answer, next_attempt_at: next }: Record<string, string>) => [status, answer, next]),
    [
      ['sent', '200 OK', null],
      ['retry', '429 Too Many Requests', waiting.send_at.toISOString()]
    ],
    'each attempt is in the log'
  )
})

t.test('a mute holds what a rule sends, and it can be sent afterwards', async t => {
  const { project, send, call, work, platform, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t)
  const path = `/projects/${project.id}`

  await aWebhookRule({ ...world, platform, work }, project.id, receiver.url, ['alert.triggered'])
  await call('POST', `${path}/notification_mutes`, { reason: 'Upgrade', tags: ['service=shop'], ends_at: '2099-01-01' }).then(({ body }) =>
    t.same(body.message, { ends_at: ['is more than 366 days after starts_at'] })
  )
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  const { body: mute } = await call('POST', `${path}/notification_mutes`, { reason: 'Upgrade', tags: ['service=shop'], ends_at: endsAt })

  await work('deliveries')
  await send({ title: 'Held', service: 'shop' })
  const held = await eventually(async () => (await call('GET', `${path}/notification_deliveries?status=held`)).body[0], 'it is held')

  t.equal(held.mute_id, mute.id)
  await send({ title: 'Sent', service: 'other' })
  await eventually(() => receiver.requests.length === 1, 'other services are not muted')
  t.equal((await call('POST', `${path}/notification_deliveries/${held.id}/resend`)).status, 202)
  const [event] = (await call('GET', `${path}/audit_events`)).body

  t.same([event.event_name, event.details.target_id, event.details.status], ['notification_delivery_resent', held.id, 'held'])
  await eventually(() => receiver.requests.length === 2, 'it is sent')
  t.same(
    receiver.requests.map(({ body }) => body.data.occurrences[0].subject.title),
    ['Sent', 'Held']
  )
})

t.test('dispatching again adds nothing', async t => {
  const { project, send, platform, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t)

  await aWebhookRule({ ...world, platform }, project.id, receiver.url, ['alert.triggered'])
  await send({ title: 'Slow' })
  const options = { baseUrl: 'http://tocsin.test', hasMail: false }
  const first = await dispatchBatch(platform.fork(), options, new Date())
  const second = await dispatchBatch(platform.fork(), options, new Date())

  t.equal(first.deliveries.length, 1)
  t.equal(second.deliveries.length, 0)
})

t.test('a delivery whose job fails for good is in the log as failed, and can be sent again', async t => {
  const { project, send, call, platform, work, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t)
  const { rule } = await aWebhookRule({ ...world, platform, work }, project.id, receiver.url, ['alert.triggered'])
  const path = `/projects/${project.id}/notification_deliveries`

  await send({ title: 'Slow' })
  await dispatchBatch(platform.fork(), { baseUrl: 'http://tocsin.test', hasMail: false }, new Date())
  const {
    body: [delivery]
  } = await call('GET', path)

  const giveUp = () => giveUpDelivery(platform.fork(), { deliveryId: delivery.id, projectId: project.id, attempt: 0 }, new Date())

  await giveUp()
  await giveUp()
  hasExactly(t, (await call('GET', `${path}/${delivery.id}`)).body, {
    status: 'failed',
    attempts: 1,
    reason: `rule "${rule.name}"`,
    answer: 'Not sent because of an internal error.'
  })
  await work('deliveries')
  t.equal((await call('POST', `${path}/${delivery.id}/resend`)).status, 202)
  await eventually(() => receiver.requests.length === 1, 'it is sent')
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

/** The job of the second attempt waits for its time; this one is due. */
async function attemptAgain(queues: World['platform']['queues'], item: ItemOf<typeof sendDelivery>) {
  for (const job of await queues.get('deliveries').getDelayed()) await job.remove()
  await queues.enqueue(sendDelivery, item)
}
