import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { Visitor } from '../pages/visitor.ts'
import { eventually } from '../support/world.ts'
import { aWebhookRule, openReceiver } from './receiver.ts'

t.test('everything that a mute held is sent with one request, once', async t => {
  const { project, send, call, work, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t)
  const path = `/projects/${project.id}`

  await aWebhookRule({ ...world, work }, project.id, receiver.url, ['alert.triggered'])
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  const { body: mute } = await call('POST', `${path}/notification_mutes`, { reason: 'Upgrade', everything: true, ends_at: endsAt })

  await work('deliveries')
  for (const title of ['One', 'Two', 'Three']) await send({ title })
  await eventually(async () => (await heldTitles()) === 3, 'they are held')
  const visitor = new Visitor(world.app)
  await visitor.signIn()
  t.match((await visitor.get(`${path}/notifications/mutes/${mute.id}`)).body, /Send all/)
  const { headers } = await visitor.post(`${path}/notifications/mutes/${mute.id}/end`, {})
  t.match(headers.location, new RegExp(`/mutes/${mute.id}$`), 'the page of the mute says what it held')
  t.match((await visitor.get(String(headers.location))).body, /It held \d messages?, which you can send or discard/)

  const answers = await Promise.all([1, 2].map(() => call('POST', `${path}/notification_mutes/${mute.id}/release`)))
  t.same(
    answers.map(({ status }) => status),
    [202, 202]
  )
  t.equal(answers.filter(({ body }) => body.released > 0).length, 1)
  await eventually(async () => (await sentTitles()).length === 3, 'all are sent')
  t.same((await sentTitles()).sort(), ['One', 'Three', 'Two'])
  t.notMatch((await visitor.get(`${path}/notifications/mutes/${mute.id}`)).body, /Send all/)
  t.equal((await call('POST', `${path}/notification_mutes/99/release`)).status, 404)

  async function heldTitles() {
    const { rows } = await world.platform.pool.query(
      `SELECT count(*)::int AS count FROM notification_delivery_entries e JOIN notification_deliveries d ON d.id = e.delivery_id WHERE d.status = 'held'`
    )

    return rows[0].count
  }

  async function sentTitles() {
    return receiver.requests.flatMap(({ body }) =>
      body.data.occurrences.map(({ subject }: { subject: { title: string } }) => subject.title)
    )
  }
})

t.test('everything that a mute held is discarded with one request, and stays in the list', async t => {
  const { project, send, call, work, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t)
  const path = `/projects/${project.id}`

  await aWebhookRule({ ...world, work }, project.id, receiver.url, ['alert.triggered'])
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  const { body: mute } = await call('POST', `${path}/notification_mutes`, { reason: 'Upgrade', everything: true, ends_at: endsAt })
  const listed = async (status: string) => (await call('GET', `${path}/notification_deliveries?status=${status}`)).body
  const visitor = new Visitor(world.app)
  const page = `${path}/notifications/mutes/${mute.id}`

  await visitor.signIn()
  await work('deliveries')
  await send({ title: 'One' })
  await eventually(async () => (await listed('held')).length === 1, 'it is held')
  t.match((await visitor.get(page)).body, /Discard all/)
  t.equal((await visitor.post(`${page}/discard`, {})).headers.location, page)
  t.match((await visitor.get(page)).body, /1 message will not be sent/)
  t.notMatch((await visitor.get(page)).body, /Discard all|Send all/)
  t.same((await call('POST', `${path}/notification_mutes/${mute.id}/discard`)).body, { discarded: 0 })
  t.same((await call('POST', `${path}/notification_mutes/${mute.id}/release`)).body, { released: 0 })
  t.equal((await call('POST', `${path}/notification_mutes/99/discard`)).status, 404)
  await send({ title: 'Two' })
  await eventually(async () => (await listed('held')).length === 1, 'the next one is held')
  t.same((await call('POST', `${path}/notification_mutes/${mute.id}/discard`)).body, { discarded: 1 })
  const [event] = (await call('GET', `${path}/audit_events`)).body

  t.equal(event.event_name, 'notification_deliveries_discarded')
  const [, first] = await listed('discarded')

  t.equal(receiver.requests.length, 0)
  t.equal((await call('POST', `${path}/notification_deliveries/${first.id}/resend`)).status, 202)
  await eventually(() => receiver.requests.length === 1, 'one of them is sent after all')
})

t.test('a message that waits is sent now, and then not a second time', async t => {
  const { project, send, call, work, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t)
  const path = `/projects/${project.id}/notification_deliveries`

  await aWebhookRule({ ...world, work }, project.id, receiver.url, ['alert.triggered'], { gatherMinutes: 60 })
  await work('deliveries')
  await send({ title: 'First', severity: 'low' })
  await eventually(() => receiver.requests.length === 1, 'the first is sent at once')
  await send({ title: 'Second', severity: 'low' })
  const waiting = await eventually(async () => (await call('GET', `${path}?status=pending`)).body[0], 'the second waits')
  const visitor = new Visitor(world.app)
  const page = `/projects/${project.id}/notifications/deliveries/${waiting.id}`
  await visitor.signIn()
  t.match((await visitor.get(page)).body, /Send now/)
  t.equal((await visitor.post(`${page}/resend`, {})).statusCode, 303)
  await eventually(() => receiver.requests.length === 2, 'it is sent')
  const sent = await eventually(
    async () => (await call('GET', `${path}?status=sent`)).body.find(({ id }: { id: number }) => id === waiting.id),
    'its state'
  )
  t.equal(sent.id, waiting.id)
  t.match((await visitor.get(page)).body, /Send again/)
  await send({ title: 'Third', severity: 'low' })
  await eventually(async () => (await call('GET', `${path}?status=pending`)).body[0], 'the third waits in a message of its own')
})

t.test('a channel whose last message was given up is marked until a message arrives', async t => {
  const { project, send, call, work, ...world } = await openAlertedProject(t)
  const receiver = await openReceiver(t, { status: 410, text: 'gone' }, { status: 200 })
  const { channel } = await aWebhookRule({ ...world, work }, project.id, receiver.url, ['alert.triggered'], { gatherMinutes: 0 })
  const visitor = new Visitor(world.app)
  const pages = [`/projects/${project.id}/notifications`, `/projects/${project.id}/notifications/channels/${channel.id}`]
  const overviews = ['/', `/projects/${project.id}`]

  await visitor.signIn()
  await work('deliveries')
  await send({ title: 'First' })
  await eventually(
    async () => (await call('GET', `/projects/${project.id}/notification_deliveries?status=failed`)).body[0],
    'it is given up'
  )
  for (const page of pages)
    t.match((await visitor.get(page)).body, /Not working: <a href="[^"]+">the last message could not be delivered<\/a>/, page)
  for (const page of overviews) t.match((await visitor.get(page)).body, /<strong>Hook<\/strong><\/a>.* is not working/, page)
  await send({ title: 'Second' })
  await eventually(async () => (await call('GET', `/projects/${project.id}/notification_deliveries?status=sent`)).body[0], 'it is sent')
  for (const page of [...pages, ...overviews]) t.notMatch((await visitor.get(page)).body, /(Not|is not) working/, page)
})
