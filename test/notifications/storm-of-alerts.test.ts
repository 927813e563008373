import t from 'tap'
import { createIntegration } from '#alerts/integrations/create-integration.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, onBothBackends, type World } from '../support/world.ts'
import { aMember } from './people.ts'
import { openReceiver } from './receiver.ts'

const alerts = 250
const errors = 100

onBothBackends(t, 'a storm of alerts and errors is two messages for each recipient, which mention every cause', async (t, kind) => {
  const smtp = await openSmtpServer(t)
  const receivers = [await openReceiver(t), await openReceiver(t)]
  const world = await openProject(t, { kind, env: { SMTP_URL: smtp.url } })
  const { app, call, config, platform, project, send, work } = world
  const path = `/projects/${project.id}`
  const channelIds: number[] = []

  await aMember(world, project.id, 'maintainer', 40)
  for (const channel of [
    { kind: 'email', name: 'Mail', settings: { roles: ['maintainer'], addresses: ['ops@example.com'] } },
    ...receivers.map(({ url }, n) => ({ kind: 'webhook', name: `Hook ${n}`, settings: { url } }))
  ]) {
    channelIds.push((await call('POST', `${path}/notification_channels`, channel)).body.id)
  }
  for (const name of ['All', 'All again']) {
    await call('POST', `${path}/notification_rules`, { name, triggers: ['alert.triggered', 'error.new'], channel_ids: channelIds })
  }
  const { integration, key } = await createIntegration(platform.fork(), config, project.id, { name: 'Uptime', kind: 'http' })
  const url = integration.url('', project.path_with_namespace)
  const alert = (title: string, severity = 'low') =>
    app.inject({ method: 'POST', url, payload: { title, severity }, headers: { authorization: `Bearer ${key}` } })
  const entries = async () => (await platform.pool.query('SELECT count(*)::int FROM notification_delivery_entries')).rows[0].count

  await Promise.all([work('alerts'), work('deliveries')])
  await alert('The first', 'high')
  await eventually(async () => receivers.every(({ requests }) => requests.length === 1) && smtp.letters.length === 2, 'it is sent at once')
  await Promise.all(Array.from({ length: alerts - 1 }, (_, n) => alert(`Alert ${n}`)))
  await Promise.all(Array.from({ length: errors }, (_, n) => send(anEnvelope(anException(`Error${n}`, `it broke ${n}`)))))
  await eventually(async () => (await entries()) === 4 * (alerts + errors), 'all of them are planned for each recipient')
  t.equal(receivers[0]!.requests.length, 1, 'the others are gathered')
  t.equal(smtp.letters.length, 2)

  await sendGathered(platform)
  await eventually(() => receivers.every(({ requests }) => requests.length === 2) && smtp.letters.length === 4, 'they are one message')
  const rest = alerts + errors - 1

  for (const { requests } of receivers) {
    const { type, data } = requests[1]!.body

    t.same([type, data.total, data.occurrences.length], ['notifications.gathered', rest, 200])
    t.equal(new Set(data.occurrences.map(({ subject }: { subject: object }) => JSON.stringify(subject))).size, 200, 'each is named once')
    t.match(data.url, /\/notifications\/deliveries\/\d+$/)
  }
  for (const { data } of smtp.letters.slice(2)) {
    const text = data.replaceAll('=\n', '')

    t.match(text, new RegExp(`^.+ and ${rest - 1} more$`, 'm'))
    t.match(text, new RegExp(`and ${rest - 50} more: http://tocsin.test/projects/${project.id}/notifications/deliveries/\\d+`))
  }
})

/** The time to gather is over. */
async function sendGathered({ queues }: World['platform']) {
  for (const job of await queues.get('deliveries').getDelayed()) await job.promote()
}
