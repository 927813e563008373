import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { Visitor } from '../pages/visitor.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, openApp } from '../support/world.ts'
import { aMember } from './people.ts'
import { openReceiver } from './receiver.ts'

t.test('mail says in its subject what became of an alert and how severe it is, and in which time zone its times are', async t => {
  const smtp = await openSmtpServer(t)
  const receiver = await openReceiver(t)
  const world = await openAlertedProject(t, { env: { SMTP_URL: smtp.url } })
  const { call, platform, project, send, work } = world
  const path = `/projects/${project.id}`
  const dev = await aMember(world, project.id, 'dev')
  const add = async (channel: object) => (await call('POST', `${path}/notification_channels`, { name: 'A channel', ...channel })).body.id
  const mail = await add({ kind: 'email', settings: { user_ids: [dev.id] } })
  const hook = await add({ kind: 'webhook', settings: { url: receiver.url } })
  const subjects = () => smtp.letters.map(({ data }) => /^Subject: (.+(?:\r?\n .+)*)/m.exec(data)![1]!.replaceAll(/\r?\n */g, ' '))

  await platform.pool.query(`UPDATE users SET time_zone = 'Europe/Berlin' WHERE id = $1`, [dev.id])
  await call('POST', `${path}/notification_rules`, {
    name: 'An alert is acknowledged',
    triggers: ['alert.triggered', 'alert.acknowledged', 'alert.resolved'],
    channel_ids: [mail, hook]
  })
  await work('deliveries')
  await send({ title: 'Disk full', severity: 'critical', fingerprint: '1', start_time: '2026-11-21T10:00:00Z' })
  await eventually(() => smtp.letters.length === 1, 'triggered')
  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'acknowledged' })
  await eventually(() => smtp.letters.length === 2, 'acknowledged')
  await send({ fingerprint: '1', end_time: '2026-11-21T11:00:00Z' })
  await eventually(() => smtp.letters.length === 3, 'resolved')

  t.same(
    subjects(),
    ['triggered', 'acknowledged', 'resolved'].map(state => `${project.name} | Alert ${state} (critical): Disk full (^alert#1)`)
  )
  for (const { data } of smtp.letters) t.match(data, /^References: <alert-\d+@/m, 'they are one thread')
  t.match(smtp.letters[0]!.data, /Started: 21 Nov 2026, 11:00 CET/)
  t.match(smtp.letters[0]!.data.replaceAll(/=\r?\n/g, ''), `because of a rule in ${project.name}.`, 'a rule without a name of its own')
  await eventually(() => receiver.requests.length === 3, 'programs get them, too')
  t.equal(receiver.requests[0]!.body.data.reason, 'rule "An alert is acknowledged"')
  t.equal(receiver.requests[0]!.body.data.occurrences[0].subject.facts.Started, '2026-11-21T10:00:00.000Z')
})

t.test('mail about an error shows the top frame of its own code, and leads to a page that resolves it', async t => {
  const smtp = await openSmtpServer(t)
  const world = await openProject(t, { env: { SMTP_URL: smtp.url } })
  const { app, call, project, send, work } = world
  const path = `/projects/${project.id}`
  const own = {
    function: 'charge',
    filename: 'src/charge.ts',
    lineno: 12,
    in_app: true,
    pre_context: ['first();', 'second();', 'third();', 'fourth(<b>);'],
    context_line: 'const currency = currencyOf(first.price)',
    post_context: ['}']
  }
  const frames = [
    { function: 'main', filename: 'main.ts', lineno: 1, in_app: true },
    own,
    { function: 'each', filename: 'lib.js', lineno: 3, in_app: false }
  ]

  const { body: channel } = await call('POST', `${path}/notification_channels`, {
    name: 'Mail',
    kind: 'email',
    settings: { user_ids: [1] }
  })
  await call('POST', `${path}/notification_rules`, { name: 'New', triggers: ['error.new'], channel_ids: [channel.id] })
  await work('deliveries')
  await send(anEnvelope({ exception: { values: [{ type: 'TypeError', value: 'no price', stacktrace: { frames } }] } }))
  const { data } = await eventually(() => smtp.letters[0], 'a mail arrives')
  const text = data
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=')
    .replaceAll('\r\n', '\n')

  t.match(
    text,
    /src\/charge\.ts:12 in charge\n {6}9 \| second\(\);\n {5}10 \| third\(\);\n {5}11 \| fourth\(<b>\);\n> {4}12 \| const currency = currencyOf\(first\.price\)\n {5}13 \| \}/
  )
  t.match(text, /<strong> {3}12 {2}const currency = currencyOf\(first\.price\)<\/strong>/)
  t.match(text, /fourth\(&lt;b&gt;\);/)
  const [, link] = /Resolve: http:\/\/[^/]+(\S+)/.exec(text)!
  const visitor = new Visitor(app)
  await visitor.signIn()
  const page = (await visitor.get(link!)).body
  const [, action] = /<form method="post" action="([^"]+)" class="asked">[\s\S]{0,300}Resolve this error\?/.exec(page)!
  await visitor.post(action!, { status: 'resolved' })
  t.notMatch((await visitor.get(link!)).body, /Resolve this error\?/, 'it is asked once')
})

t.test('deliveries say what they are about, and those that wait for another attempt say so', async t => {
  const receiver = await openReceiver(t, { status: 503 })
  const { call, project, send, work } = await openAlertedProject(t)
  const path = `/projects/${project.id}`
  const { body: channel } = await call('POST', `${path}/notification_channels`, {
    kind: 'webhook',
    name: 'Hook',
    settings: { url: receiver.url }
  })

  await call('POST', `${path}/notification_rules`, { name: 'All', triggers: ['alert.triggered'], channel_ids: [channel.id] })
  await work('deliveries')
  await send({ title: 'Disk full', severity: 'high' })
  const waiting = await eventually(async () => (await call('GET', `${path}/notification_deliveries?status=retrying`)).body[0], 'it waits')

  hasExactly(t, waiting, {
    status: 'retrying',
    attempts: 1,
    recipient: 'Hook',
    title: 'Alert triggered (high): Disk full (^alert#1)',
    kind: 'alert.triggered',
    occurrences: 1
  })
  hasExactly(t, waiting.subject, { type: 'alert', reference: '^alert#1', title: 'Disk full', status: 'triggered', severity: 'high' })
  t.same((await call('GET', `${path}/notification_deliveries/${waiting.id}`)).body.subject, waiting.subject)
  t.same((await call('GET', `${path}/notification_deliveries?status=sending`)).body, [])
})

t.test('recipients who may not see what a rule reports are refused by name', async t => {
  const world = await openApp(t)
  const { call } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const reporter = await aMember(world, project.id, 'rita', 20)
  const dev = await aMember(world, project.id, 'dev')
  const add = (settings: object) => call('POST', `${path}/notification_channels`, { kind: 'email', name: 'People', settings })
  const rule = (channelId: number, ...triggers: string[]) =>
    call('POST', `${path}/notification_rules`, { name: 'All', triggers, channel_ids: [channelId] })
  const { body: people } = await add({ user_ids: [reporter.id, dev.id] })
  const { body: reporters } = await add({ roles: ['reporter'] })
  const { body: mixed } = await add({ roles: ['reporter', 'developer'] })

  t.same((await rule(people.id, 'alert.triggered', 'incident.opened')).body.message, {
    channel_ids: ['People: @rita may not see alerts: this requires the Developer role']
  })
  t.same((await rule(reporters.id, 'alert.triggered', 'error.new')).body.message, {
    channel_ids: ['People: reporter may not see alerts and errors: this requires the Developer role']
  })
  t.equal((await rule(people.id, 'incident.opened')).status, 201)
  t.equal((await rule(reporters.id, 'alert.triggered', 'incident.opened')).status, 201, 'a role gets what it may see')
  const { body: devs } = await add({ user_ids: [dev.id] })
  const { body: ours } = await rule(devs.id, 'alert.resolved')

  t.same((await call('PUT', `${path}/notification_channels/${devs.id}`, { settings: { user_ids: [reporter.id] } })).body.message, {
    settings: { user_ids: ['@rita may not see alerts: this requires the Developer role'] }
  })
  t.equal((await call('PUT', `${path}/notification_rules/${ours.id}`, { channel_ids: [people.id] })).status, 400)
  t.equal((await rule(mixed.id, 'alert.triggered', 'incident.opened')).status, 201)
})
