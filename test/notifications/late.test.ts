import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, onBothBackends, openApp } from '../support/world.ts'
import { aMember } from './people.ts'
import { openReceiver } from './receiver.ts'

t.test('who loses access before a message is sent, gets nothing of it', async t => {
  const smtp = await openSmtpServer(t)
  const world = await openAlertedProject(t, { env: { SMTP_URL: smtp.url } })
  const { call, project, send, work } = world
  const path = `/projects/${project.id}`
  const people = [
    await aMember(world, project.id, 'stays'),
    await aMember(world, project.id, 'leaves'),
    await aMember(world, project.id, 'blocked'),
    await aMember(world, project.id, 'reports')
  ]
  const [, leaves, blocked, reports] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const { body: channel } = await call('POST', `${path}/notification_channels`, {
    kind: 'email',
    name: 'People',
    settings: { user_ids: people.map(({ id }) => id) }
  })
  const to = (name: string) => smtp.letters.filter(letter => letter.to[0] === `${name}@example.com`).length

  await call('POST', `${path}/notification_rules`, {
    name: 'All',
    triggers: ['alert.triggered'],
    channel_ids: [channel.id],
    gather_minutes: 60
  })
  await work('deliveries')
  await send({ title: 'First', severity: 'low' })
  await eventually(() => smtp.letters.length === 4, 'all get the first')
  await send({ title: 'Second', severity: 'low' })
  const waiting = await eventually(async () => {
    const { body } = await call('GET', `${path}/notification_deliveries?status=pending`)

    return body.length === 4 && body
  }, 'the second waits')

  await call('DELETE', `${path}/members/${leaves.id}`)
  await call('POST', `/users/${blocked.id}/block`)
  await call('PUT', `${path}/members/${reports.id}`, { access_level: 20 })
  for (const { id } of waiting) await call('POST', `${path}/notification_deliveries/${id}/resend`)
  await eventually(
    async () => (await call('GET', `${path}/notification_deliveries?status=discarded`)).body.length === 3,
    'three are not sent'
  )
  await eventually(() => to('stays') === 2, 'the one who stayed gets it')
  t.same(['leaves', 'blocked', 'reports'].map(to), [1, 1, 1])
  const { body: discarded } = await call('GET', `${path}/notification_deliveries?status=discarded`)

  t.equal(discarded[0].answer, 'Not sent: the user has no access, is blocked, or has no confirmed e-mail address.')
})

t.test('unsubscribing from a rule covers its incidents and what waits, and can be undone', async t => {
  const smtp = await openSmtpServer(t)
  const { app, call, work } = await openApp(t, { env: { SMTP_URL: smtp.url } })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const { body: channel } = await call('POST', `${path}/notification_channels`, {
    kind: 'email',
    name: 'List',
    settings: { addresses: ['list@example.com'] }
  })
  const open = (title: string) => call('POST', `${path}/issues`, { title, issue_type: 'incident' })
  const post = (payload: string) =>
    app.inject({ method: 'POST', url: link(), payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } })

  function link() {
    return /^List-Unsubscribe:\s+<http:\/\/tocsin\.test(.+)>$/m.exec(smtp.letters[0]!.data.replaceAll(/\r?\n[ \t]+/g, ' '))![1]!
  }

  await call('POST', `${path}/notification_rules`, {
    name: 'All',
    triggers: ['incident.opened'],
    channel_ids: [channel.id],
    gather_minutes: 60
  })
  await work('deliveries')
  await open('One')
  await eventually(() => smtp.letters.length === 1, 'the first mail')
  await open('Two')
  const waiting = await eventually(
    async () => (await call('GET', `${path}/notification_deliveries?status=pending`)).body[0],
    'the second waits'
  )

  t.match((await app.inject({ url: link() })).body, /Stop e-mail about reports by the rules of/)
  t.match((await post('List-Unsubscribe=One-Click')).body, /Subscribe again/)
  t.match((await app.inject({ url: link() })).body, /You will no longer receive e-mail/)
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const parts = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'

  t.equal((await app.inject({ method: 'POST', url: link(), payload: parts, headers })).statusCode, 200, 'also as multipart')
  await call('POST', `${path}/notification_deliveries/${waiting.id}/resend`)
  const discarded = await eventually(
    async () => (await call('GET', `${path}/notification_deliveries?status=discarded`)).body[0],
    'it is not sent'
  )
  t.equal(discarded.answer, 'Not sent: the recipient has unsubscribed.')
  t.equal(smtp.letters.length, 1)

  t.match((await post('again=1')).body, /Subscribed/)
  t.equal((await call('POST', `${path}/notification_deliveries/${discarded.id}/resend`)).status, 202)
  await eventually(() => smtp.letters.length === 2, 'it is sent after all')

  await call('DELETE', path)
  t.equal((await post('List-Unsubscribe=One-Click')).statusCode, 200, 'also when the project is deleted')
})

t.test('mail that the server refuses for now is tried again, and what it refuses for good is given up', async t => {
  const smtp = await openSmtpServer(t)
  const { call, work } = await openApp(t, { env: { SMTP_URL: smtp.url } })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const { body: channel } = await call('POST', `${path}/notification_channels`, {
    kind: 'email',
    name: 'List',
    settings: { addresses: ['slow@example.com', 'gone@example.com'] }
  })
  const deliveryTo = async (address: string) =>
    (await call('GET', `${path}/notification_deliveries`)).body.find((one: { address: string }) => one.address === address)

  smtp.greylisted.add('slow@example.com')
  smtp.refused.add('gone@example.com')
  await call('POST', `${path}/notification_rules`, { name: 'All', triggers: ['incident.opened'], channel_ids: [channel.id] })
  await work('deliveries')
  await call('POST', `${path}/issues`, { title: 'Down', issue_type: 'incident' })
  await eventually(async () => (await deliveryTo('slow@example.com'))?.attempts === 1, 'the first attempt')
  await eventually(async () => (await deliveryTo('gone@example.com')).status === 'failed', 'the other one is given up')
  const slow = await deliveryTo('slow@example.com')

  t.equal(slow.status, 'retrying')
  t.match(slow.answer, /451 try again later/)
  smtp.greylisted.clear()
  await call('POST', `${path}/notification_deliveries/${slow.id}/resend`)
  await eventually(() => smtp.letters.length === 1, 'it arrives later')
})

onBothBackends(t, 'a paging service gets each alert at once with a key of its own, whatever its limits and mutes', async (t, kind) => {
  const receiver = await openReceiver(t, { status: 202 })
  const { call, project, send, work } = await openAlertedProject(t, { kind })
  const path = `/projects/${project.id}`
  const { body: channel } = await call('POST', `${path}/notification_channels`, {
    kind: 'pagerduty',
    name: 'On call',
    hourly_limit: 1,
    settings: { url: receiver.url, routing_key: 'a'.repeat(32) }
  })
  const events = () => receiver.requests.map(({ body }) => [body.payload.summary, body.event_action, body.dedup_key])
  const severity = 'low'

  await call('POST', `${path}/notification_rules`, {
    name: 'All',
    triggers: ['alert.triggered', 'alert.resolved'],
    channel_ids: [channel.id],
    gather_minutes: 60
  })
  const { body: mute } = await call('POST', `${path}/notification_mutes`, {
    reason: 'Upgrade',
    labels: ['service=db'],
    ends_at: new Date(Date.now() + 3_600_000).toISOString()
  })

  await work('deliveries')
  for (const fingerprint of ['1', '2', '3']) await send({ title: `Low ${fingerprint}`, fingerprint, severity })
  for (const fingerprint of ['4', '5']) await send({ title: `Held ${fingerprint}`, fingerprint, severity, service: 'db' })
  for (const fingerprint of ['1', '2']) await send({ fingerprint, end_time: new Date().toISOString() })
  await eventually(() => receiver.requests.length === 5, 'nothing waits')
  await call('POST', `${path}/notification_mutes/${mute.id}/release`)
  await eventually(() => receiver.requests.length === 7, 'each that a mute held is a message of its own')
  const keys = Map.groupBy(events(), ([, , key]) => key)

  t.equal(keys.size, 5, 'one key for each alert')
  t.same([...keys.values()].map(group => group.map(([, action]) => action).sort()).sort(), [
    ['resolve', 'trigger'],
    ['resolve', 'trigger'],
    ['trigger'],
    ['trigger'],
    ['trigger']
  ])
})

t.test('critical and high alerts wait neither for others nor for the hourly limit, on any channel', async t => {
  const smtp = await openSmtpServer(t)
  const receivers = [await openReceiver(t), await openReceiver(t)] as const
  const { call, project, send, work } = await openAlertedProject(t, { env: { SMTP_URL: smtp.url } })
  const path = `/projects/${project.id}`
  const channelIds: number[] = []

  for (const channel of [
    { kind: 'email', name: 'List', settings: { addresses: ['list@example.com'] } },
    { kind: 'slack', name: 'Chat', settings: { url: receivers[0].url } },
    { kind: 'webhook', name: 'Hook', settings: { url: receivers[1].url } }
  ]) {
    channelIds.push((await call('POST', `${path}/notification_channels`, { ...channel, hourly_limit: 1 })).body.id)
  }
  await call('POST', `${path}/notification_rules`, { name: 'All', triggers: ['alert.triggered'], channel_ids: channelIds })
  await work('deliveries')
  await send({ title: 'Cosmetic', severity: 'low', fingerprint: '0' })
  await eventually(
    () => receivers.every(({ requests }) => requests.length === 1) && smtp.letters.length === 1,
    'the first uses up the limit'
  )
  for (const n of [1, 2, 3]) await send({ title: `Down ${n}`, severity: n === 3 ? 'high' : 'critical', fingerprint: `${n}` })
  await send({ title: 'Medium', severity: 'medium', fingerprint: '4' })
  await eventually(
    async () => (await call('GET', `${path}/notification_deliveries?status=pending`)).body.length === 3,
    'the medium one waits in each channel'
  )
  await eventually(() => receivers.every(({ requests }) => requests.length === 4) && smtp.letters.length === 4, 'each is a message')
})
