import t from 'tap'
import { deleteOldDeliveries } from '#notifications/deliveries/delivery-store.ts'
import { reportEndedMutes } from '#notifications/mutes/report-firing.ts'
import { deleteOldOutbox } from '#outbox/outbox-store.ts'
import { openAlertedProject } from '../alerts/alerting.ts'
import { aPerson } from '../projects/people.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends, openApp } from '../support/world.ts'
import { openReceiver } from './receiver.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

t.test('rules and mutes take their patterns as tags and as labels, and a mute covers everything only when it says so', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const mute = (body: object) => call('POST', `${path}/notification_mutes`, { reason: 'Upgrade', ends_at: inAnHour(), ...body })
  const refused = async (body: object, message: object) => {
    const { status, body: answer } = await mute(body)

    t.same([status, answer.message], [400, message], JSON.stringify(body))
  }
  const missing = { everything: ['must be true to mute the whole project; otherwise give tags or an environment'] }

  for (const body of [{ tags: ['service=shop'] }, { labels: ['service=shop'] }, { tags: ['service=shop'], labels: ['service=shop'] }])
    hasExactly(t, (await mute(body)).body, { tags: ['service=shop'], labels: ['service=shop'], environment: null, everything: false })
  hasExactly(t, (await mute({ environment: 'prod' })).body, { tags: [], everything: false })
  const { body: all } = await mute({ everything: true, tags: [], environment: null })

  t.equal(all.everything, true)
  await refused({}, missing)
  await refused({ tag: ['service=shop'] }, missing)
  await refused({ everything: false, tags: [] }, missing)
  await refused({ everything: true, environment: 'prod' }, { everything: ['cannot be true together with tags or an environment'] })
  await refused({ tags: ['a=1'], labels: ['b=1'] }, { labels: ['is another name of tags, and differs from it: give one of the two'] })
  await refused({ labels: ['shop'] }, { labels: ['"shop" has no value: write a name and a value, such as service=shop'] })

  const change = (id: number, body: object) => call('PUT', `${path}/notification_mutes/${id}`, body)
  const { body: one } = await mute({ tags: ['service=shop'] })

  t.same((await change(one.id, { tags: [] })).body.message, missing)
  t.same((await change(one.id, { everything: true })).body.everything, true)
  t.same((await change(one.id, { ends_at: inAnHour() })).body.everything, true, 'what is not given stays')
  t.same((await change(one.id, { environment: 'prod' })).body.everything, false)

  const rule = { name: 'Ours', triggers: ['alert.triggered'], channel_ids: [] }

  for (const name of ['tags', 'labels'])
    t.same((await call('POST', `${path}/notification_rules`, { ...rule, [name]: ['team=blue'] })).body.tags, ['team=blue'], name)
})

onBothBackends(
  t,
  'what still fires when a mute ends is reported once, and what it held stays until a developer decides',
  async (t, kind) => {
    const receiver = await openReceiver(t)
    const world = await openAlertedProject(t, { kind })
    const { call, platform, project, send, work } = world
    const path = `/projects/${project.id}`
    const { body: channel } = await call('POST', `${path}/notification_channels`, {
      kind: 'slack',
      name: 'Ops',
      settings: { url: receiver.url }
    })
    const texts = () => receiver.requests.map(({ body }) => body.text.replace(/.*\|(.*)>$/, '$1'))
    const held = async () => (await call('GET', `${path}/notification_deliveries?status=held`)).body.length
    const startMute = async (service: string) =>
      (await call('POST', `${path}/notification_mutes`, { reason: 'Upgrade', tags: [`service=${service}`], ends_at: inAnHour() })).body
    const endMutes = () => reportEndedMutes(platform.fork(), new Date(Date.now() + 20_000))
    const fire = (title: string, service: string) => send({ title, service, fingerprint: title })

    await call('POST', `${path}/notification_rules`, {
      name: 'All',
      triggers: ['alert.triggered', 'incident.opened'],
      channel_ids: [channel.id]
    })
    const mute = await startMute('db')
    const other = await startMute('web')

    await work('deliveries')
    for (const title of ['Fires', 'Known', 'Over']) await fire(title, 'db')
    await fire('Deleted', 'web')
    await eventually(async () => (await held()) === 4, 'all are held')
    await call('PUT', `${path}/alert_management_alerts/2`, { status: 'acknowledged' })
    await send({ fingerprint: 'Over', end_time: new Date().toISOString() })
    await endMutes()
    await call('PUT', `${path}/notification_mutes/${mute.id}`, { ends_at: new Date().toISOString() })
    await Promise.all([endMutes(), endMutes()])
    await endMutes()
    await eventually(() => receiver.requests.length === 1, 'it is reported at the end')
    await call('DELETE', `${path}/notification_mutes/${other.id}`)
    await eventually(() => receiver.requests.length === 2, 'also when a mute is deleted')
    t.same(texts(), ['Alert still firing (critical): Fires (^alert#1)', 'Alert still firing (critical): Deleted (^alert#4)'])
    t.equal(await held(), 4, 'nothing was decided')

    await platform.pool.query(`UPDATE notification_deliveries SET created_at = now() - interval '40 days'`)
    await platform.pool.query(`UPDATE outbox SET created_at = now() - interval '40 days'`)
    await deleteOldDeliveries(platform.fork(), new Date())
    await deleteOldOutbox(platform.fork(), new Date())
    const dev = await aPerson(world, 'dev')

    await call('POST', `${path}/members`, { user_id: dev.id, access_level: 30 })
    t.same((await call('POST', `${path}/notification_mutes/${mute.id}/release`, {}, dev.token)).body, { released: 3 })
    await eventually(() => receiver.requests.length === 5, 'they are sent, however old they are')
    const left = async () => (await call('GET', `${path}/notification_mutes`)).body.map(({ id }: { id: number }) => id)

    t.same(await left(), [mute.id, other.id], 'a deleted mute waits for a decision about what it holds')
    t.same((await call('POST', `${path}/notification_mutes/${other.id}/discard`, {}, dev.token)).body, { discarded: 1 })
    t.equal((await call('DELETE', `${path}/notification_mutes/${other.id}`, undefined, dev.token)).status, 204)
    t.same(await left(), [mute.id])
  }
)
