import t from 'tap'
import { anAlertedProject } from '../alerts/alerting.ts'
import { Visitor } from '../pages/visitor.ts'
import { eventually } from '../support/world.ts'
import { aReceiver } from './receiver.ts'

t.test('an active integration sends messages about the events that it names', async t => {
  const { app, call, project, send, work, platform } = await anAlertedProject(t)
  const path = `/projects/${project.id}`
  const [slack, mattermost, discord] = [await aReceiver(t), await aReceiver(t), await aReceiver(t)]
  const integrate = (slug: string, { url: webhook }: { url: string }, events: object) =>
    call('PUT', `${path}/integrations/${slug}`, { webhook, ...events })
  const targets = async () =>
    (await platform.pool.query('SELECT target, count(*)::int AS entries FROM notification_delivery_entries GROUP BY 1 ORDER BY 1')).rows

  await integrate('slack', slack, { note_events: false })
  await integrate('mattermost', mattermost, { issues_events: false, note_events: false, alert_events: true })
  await integrate('discord', discord, { issues_events: false })
  await work('deliveries')

  await call('POST', `${path}/issues`, { title: 'Broken cart' })
  await eventually(() => slack.requests.length === 1, 'Slack has the issue')
  t.match(slack.requests[0]!.body.text, /Issue opened: Broken cart \(#1\)/)
  await call('POST', `${path}/issues/1/notes`, { body: 'I see.' })
  await eventually(() => discord.requests.length === 1, 'Discord has the comment')
  t.match(discord.requests[0]!.body.embeds[0].description, 'I see')
  await send({ title: 'Slow', severity: 'high' })
  await eventually(() => mattermost.requests.length === 1, 'Mattermost has the alert')
  t.match(mattermost.requests[0]!.body.text, /Alert triggered \(high\): Slow/)
  await call('POST', `${path}/issues`, { title: 'Down', issue_type: 'incident' })
  await call('PUT', `${path}/issues/1`, { state_event: 'close' })
  await eventually(async () => (await targets()).some(({ entries }) => entries === 2), 'Slack gathers the closed issue')
  t.same(
    (await targets()).map(({ entries }) => entries),
    [2, 1, 1],
    'and none is about the incident'
  )
  const { body: deliveries } = await call('GET', `${path}/notification_deliveries?status=sent`)

  t.same(deliveries.map(({ reason }: { reason: string }) => reason).sort(), [
    'rule "Discord Notifications"',
    'rule "Mattermost notifications"',
    'rule "Slack notifications"'
  ])
  const visitor = new Visitor(app)

  await visitor.signIn()
  const { body: page } = await visitor.get(`${path}/notifications/deliveries`)

  t.match(page, 'Discord Notifications')
  t.notMatch(page, 'a deleted channel')
})

t.test('a disabled integration sends nothing more', async t => {
  const { call, project, work, platform } = await anAlertedProject(t)
  const path = `/projects/${project.id}`
  const receiver = await aReceiver(t)

  await call('PUT', `${path}/integrations/microsoft-teams`, { webhook: receiver.url })
  await work('deliveries')
  await call('POST', `${path}/issues`, { title: 'One' })
  await eventually(() => receiver.requests.length === 1, 'Teams has the issue')
  t.equal(receiver.requests[0]!.body.attachments[0].contentType, 'application/vnd.microsoft.card.adaptive')
  await call('POST', `${path}/issues`, { title: 'Two' })
  const open = async () => (await call('GET', `${path}/notification_deliveries?status=pending`)).body[0]
  const { id } = await eventually(open, 'the second is gathered')

  await call('DELETE', `${path}/integrations/microsoft-teams`)
  await eventually(async () => {
    // The row is there before its job.
    for (const job of await platform.queues.get('deliveries').getDelayed()) await job.promote()

    return (await call('GET', `${path}/notification_deliveries/${id}`)).body.status === 'failed'
  }, 'it is given up')
  t.equal(receiver.requests.length, 1)
})
