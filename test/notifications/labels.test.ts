import t from 'tap'
import { anItem, aWebhook, openAlertedProject } from '../alerts/alerting.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually } from '../support/world.ts'
import { openReceiver } from './receiver.ts'

const runbook = 'https://wiki.example.com/run_books/disk?a=1'
const ofCluster = (cluster: string, fingerprint: string) =>
  anItem({
    labels: { alertname: 'DiskFull', severity: 'page', cluster, namespace: 'shop', instance: 'db-1:9100', team: 'blue' },
    annotations: { runbook_url: runbook },
    fingerprint
  })

t.test('rules and mutes match the labels of alerts and of their incidents, and messages show them with the runbook', async t => {
  const smtp = await openSmtpServer(t)
  const receivers = {
    teams: await openReceiver(t),
    pagerduty: await openReceiver(t, { status: 202 }),
    webhook: await openReceiver(t),
    ntfy: await openReceiver(t)
  }
  const { call, project, send, work } = await openAlertedProject(t, { env: { SMTP_URL: smtp.url } })
  const path = `/projects/${project.id}`
  const settings = { topic: 'ops', routing_key: 'a'.repeat(32) }
  const channelIds: number[] = []

  for (const [kind, { url }] of Object.entries(receivers)) {
    channelIds.push((await call('POST', `${path}/notification_channels`, { kind, name: kind, settings: { ...settings, url } })).body.id)
  }
  const { body: mail } = await call('POST', `${path}/notification_channels`, {
    kind: 'email',
    name: 'List',
    settings: { addresses: ['blue@example.com'] }
  })
  const triggers = ['alert.triggered', 'incident.opened']
  const rule = (name: string, tags: string[]) =>
    call('POST', `${path}/notification_rules`, { name, triggers, tags, channel_ids: [...channelIds, mail.id] })

  await rule('Ours', ['team=blue', 'cluster=eu-*', 'instance=db-1:9100', 'alertname=DiskFull'])
  await rule('Of others', ['team=red'])
  await call('POST', `${path}/notification_mutes`, {
    reason: 'Move',
    labels: ['cluster=eu-2', 'namespace=shop'],
    ends_at: new Date(Date.now() + 3_600_000).toISOString()
  })
  await call('PUT', `${path}/alert_settings`, { create_incidents: true })
  await Promise.all([work('deliveries'), work('incidents')])
  await send(aWebhook([ofCluster('eu-2', 'b')]))
  const held = async () => (await call('GET', `${path}/notification_deliveries?status=held`)).body.length

  await eventually(async () => (await held()) === 10, 'the alert and its incident are held in each of five channels')
  await send(aWebhook([ofCluster('us-1', 'c')]))
  await send(aWebhook([ofCluster('eu-1', 'a')]))
  await eventually(() => Object.values(receivers).every(({ requests }) => requests.length === 2) && smtp.letters.length === 2, 'two each')

  const [alert] = receivers.webhook.requests.map(({ body }) => body.data.occurrences[0].subject).filter(({ type }) => type === 'alert')
  const labels = 'alertname=DiskFull, cluster=eu-1, namespace=shop, instance=db-1:9100, team=blue'

  t.same([alert.facts.Labels, alert.facts.Runbook, alert.runbook], [labels, runbook, runbook])
  for (const tag of labels.split(', ')) t.ok(alert.tags.includes(tag), tag)
  const letter = smtp.letters.map(({ data }) => data.replaceAll('=\n', '').replaceAll('=3D', '=')).find(data => data.includes('^alert#'))!

  t.ok(letter.includes(`Labels: ${labels}`) && letter.includes(`<a href="${runbook}">`), 'in mail')
  t.ok(
    receivers.teams.requests.some(({ text }) => text.includes(runbook.replaceAll('_', '%5F'))),
    'as a link of Markdown'
  )
  t.ok(receivers.ntfy.requests.some(({ body }) => body.message.includes(`Runbook: ${runbook}`) && body.message.includes('team=blue')))
  t.same(
    receivers.pagerduty.requests.map(({ body }) => body.links.at(-1)),
    [
      { href: runbook, text: 'Runbook' },
      { href: runbook, text: 'Runbook' }
    ],
    'also of the incident'
  )
  t.same((await call('GET', `${path}/alert_management_alerts/1`)).body.labels.slice(1, 3), ['cluster=eu-2', 'namespace=shop'])
})
