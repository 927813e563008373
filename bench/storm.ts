import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { envelopeMaker } from './envelopes.ts'
import { load, post } from './load.ts'
import { hasRedis, type QueueKind, System } from './system.ts'

const help = `Usage: npm run bench storm [-- --alerts 5000] [--errors 2000] [--seconds 60] [--only redis|postgres]

Sends new alerts and new errors to a project with rules on e-mail and on two webhooks, and reports how
many messages each recipient got, and whether they account for everything that happened.
`
const { values } = parseArgs({
  options: {
    alerts: { type: 'string', default: '5000' },
    errors: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
    help: { type: 'boolean' }
  }
})

if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const hourlyLimit = 20
const gatherMinutes = 1
const key = '0123456789abcdef'.repeat(2)
const [alerts, errors, seconds] = [Number(values.alerts), Number(values.errors), Number(values.seconds)]
/** By recipient: how many occurrences each of its messages has. */
const messages = new Map<string, number[]>()
const take = (recipient: string, total: number) => messages.set(recipient, [...(messages.get(recipient) ?? []), total])
const receiver = createServer(async (request, response) => {
  take(`webhook ${request.url}`, JSON.parse(await text(request)).data.total)
  response.end()
})
const mailServer = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  async onData(stream, { envelope: { rcptTo } }, done) {
    const [, count = '1'] = /^(\d+) notifications: /m.exec(await text(stream)) ?? []

    for (const { address } of rcptTo) take(`e-mail ${address}`, Number(count))
    done()
  }
})

await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
await new Promise<void>(resolve => mailServer.listen(0, '127.0.0.1', resolve))
Object.assign(process.env, {
  SMTP_URL: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
  OUTBOUND_PRIVATE_NETWORKS: 'true'
})
for (const kind of ['redis', 'postgres'] as const) {
  if (values.only && values.only !== kind) continue
  if (kind === 'redis' && !hasRedis()) process.stdout.write('redis: skipped, because there is no redis-server on the PATH\n')
  else await measure(kind)
}
receiver.close()
mailServer.close()

async function measure(kind: QueueKind) {
  const system = new System(kind)

  messages.clear()
  await system.start()
  try {
    await createRule(system)
    await system.db.query('UPDATE alert_integrations SET token_hash = sha256($1)', [key])
    const maker = envelopeMaker(errors)
    const startedAt = performance.now()
    const [sentAlerts, sentErrors] = await Promise.all([
      send(system, alerts, anAlert),
      send(system, errors, () => post(system.intakePath, maker.next().body))
    ])
    const sentAfter = secondsSince(startedAt)

    await untilDelivered(system)
    process.stdout.write(
      `${kind}: ${sentAlerts} alerts and ${sentErrors} errors in ${sentAfter} s, delivered after ${secondsSince(startedAt)} s\n`
    )
    for (const [recipient, totals] of [...messages].sort()) report(recipient, totals, sentAlerts + sentErrors)
  } finally {
    await system.stop()
  }
}

function report(recipient: string, totals: number[], expected: number) {
  const sum = totals.reduce((sum, total) => sum + total, 0)
  const isGood = sum === expected && totals.length <= hourlyLimit

  process.stdout.write(
    `  ${recipient.padEnd(28)} ${totals.length} messages about ${totals.join(' + ')} = ${sum}${isGood ? '' : ' (WRONG)'}\n`
  )
  if (!isGood) process.exitCode = 1
}

async function createRule(system: System) {
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const add = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${system.port}/api/v4/projects/${system.projectId}/${path}`, {
      method: 'POST',
      headers: { 'private-token': system.token, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })

    if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`)

    return ((await response.json()) as { id: number }).id
  }
  const channels = [
    { kind: 'email', name: 'Mail', hourly_limit: hourlyLimit, settings: { addresses: ['ops@example.com', 'dev@example.com'] } },
    { kind: 'webhook', name: 'One', hourly_limit: hourlyLimit, settings: { url: `${origin}/one` } },
    { kind: 'webhook', name: 'Two', hourly_limit: hourlyLimit, settings: { url: `${origin}/two` } }
  ]
  const ids: number[] = []

  for (const channel of channels) ids.push(await add('notification_channels', channel))
  await add('notification_rules', {
    name: 'Storm',
    triggers: ['alert.triggered', 'error.new'],
    gather_minutes: gatherMinutes,
    channel_ids: ids
  })
}

/** Spread over the time; returns how many were accepted. */
async function send({ port }: System, count: number, write: (n: number) => Buffer) {
  let sent = 0
  let accepted = 0

  await load({
    port,
    connections: 16,
    seconds: 600,
    rate: count / seconds,
    isOver: () => sent >= count,
    request: () => ({ bytes: write(++sent), ok: () => void accepted++ })
  })

  return accepted
}

function anAlert(n: number) {
  const body = JSON.stringify({ title: `Alert ${n}`, severity: n % 50 === 0 ? 'critical' : 'low' })
  const head = `POST /root/demo/alerts/notify.json HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`

  return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
}

async function untilDelivered({ db }: System) {
  const pending = `SELECT FROM outbox WHERE dispatched_at IS NULL
    UNION ALL SELECT FROM notification_deliveries WHERE status IN ('pending', 'sending') LIMIT 1`

  // The last events may not be stored yet.
  await sleep(10_000)
  while ((await db.query(pending)).rows.length > 0) await sleep(500)
}

function secondsSince(startedAt: number) {
  return Math.round((performance.now() - startedAt) / 1000)
}
