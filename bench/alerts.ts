import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { load, type Outcome } from './load.ts'
import { type QueueKind, System } from './system.ts'
import { withBare } from './with-bare.ts'

const help = `Usage: npm run bench alerts [-- --only redis|postgres] [--json]

Sends alerts to one web and one worker process, one per request, and counts those that are answered with their number.
Of ten alerts of a service, the first opens an alert, eight are counted, and the last resolves it.
BENCH_SECONDS (10) is the duration of each measurement.
`

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } })

if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const connections = 256
const services = 1000
const key = '0123456789abcdef'.repeat(2)
const path = '/root/demo/alerts/notify.json'
const log = (line: string) => process.stderr.write(`${line}\n`)

interface Measured {
  queue: QueueKind
  bare: Outcome
  total: Outcome
  share: number
  half: Outcome
  sent: number
  counted: number
}

const measured: Measured[] = []

for (const kind of ['redis', 'postgres'] as const) {
  if (!values.only || values.only === kind) measured.push(await measure(kind))
}
if (values.json) process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`)
else for (const one of measured) print(one)

async function measure(queue: QueueKind): Promise<Measured> {
  const system = new System(queue)
  const make = alertMaker()
  const request = () => ({ bytes: make.next() })

  log(`${queue}: starting …`)
  await system.start()
  try {
    await system.db.query('UPDATE alert_integrations SET token_hash = sha256($1)', [key])
    await load({ port: system.port, connections, seconds: 2, request })
    log('bare node:http …')
    const bare = await withBare(port => load({ port, connections, seconds: seconds / 2, request: () => ({ bytes: alertMaker().next() }) }))

    log(`${queue}: maximum load …`)
    const total = await load({ port: system.port, connections, seconds, request })

    log(`${queue}: at half that rate …`)
    const half = await load({ port: system.port, connections, seconds, rate: total.perSecond / 2, request })

    // Alerts that were answered with 202 are still queued.
    await sleep(3000)
    const { rows } = await system.db.query('SELECT sum(events)::bigint AS events FROM alerts')

    return { queue, bare, total, share: total.perSecond / bare.perSecond, half, sent: make.fired(), counted: Number(rows[0].events) }
  } finally {
    await system.stop()
  }
}

/** Alerts of about 500 bytes, as an uptime monitor sends them. */
function alertMaker() {
  let made = 0
  let fired = 0

  return {
    fired: () => fired,
    next: () => {
      const service = made % services
      const isOver = Math.floor(made++ / services) % 10 === 9

      if (!isOver) fired++
      return post(
        JSON.stringify({
          title: `Service ${service} does not answer`,
          description: 'Three checks in a row took longer than ten seconds.',
          service: `service-${service}`,
          monitoring_tool: 'bench',
          hosts: [`host-${service % 50}`],
          severity: 'high',
          fingerprint: `service-${service}`,
          service_environment_name: 'production',
          ...(isOver && { end_time: new Date().toISOString() }),
          check: { kind: 'http', url: `https://service-${service}.example.com/health`, region: 'eu-1', tries: [10_001, 10_002, 10_004] }
        })
      )
    }
  }
}

function post(body: string) {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

function print({ queue, bare, total, share, half, sent, counted }: Measured) {
  const of = ({ perSecond, p50, p99, answered }: Outcome) =>
    `${perSecond} a second, p50 ${p50} ms, p99 ${p99} ms, ${JSON.stringify(answered)}`

  process.stdout.write(`bare node:http: ${of(bare)}
${queue}: ${of(total)}; ${share.toFixed(3)} of bare
${queue}, at half that rate: ${of(half)}
${queue}: ${counted} counted of ${sent} that fired
`)
}
