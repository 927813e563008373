import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { envelopeMaker } from './envelopes.ts'
import { load, post } from './load.ts'
import { percentile } from './percentiles.ts'
import { hasRedis, type QueueKind, System } from './system.ts'
import { createProject, timeToStored } from './time-to-stored.ts'

const help = `Usage: npm run bench flood [-- --events 2000000] [--only redis|postgres]

Sends small events of one project, 100 in an envelope, as fast as they are accepted; after a 429 a
connection pauses as the response says. Meanwhile another project sends an event a second. Reports
how long those take until they are stored, the memory of the processes, and whether the number of
stored events is the number of acknowledged ones.
`

const { values } = parseArgs({
  options: { events: { type: 'string', default: '2000000' }, only: { type: 'string' }, help: { type: 'boolean' } }
})

if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const total = Number(values.events)
const perEnvelope = 100
const small = envelopeMaker(4)
let made = 0
const print = (line: string) => process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${line}\n`)

for (const kind of ['redis', 'postgres'] as const) {
  if (values.only && values.only !== kind) continue
  if (kind === 'redis' && !hasRedis()) print('redis: skipped, because there is no redis-server on the PATH')
  else await measure(kind)
}

async function measure(kind: QueueKind) {
  const system = new System(kind)

  print(`${kind}: starting …`)
  await system.start()
  const progress = setInterval(async () => print(`${kind}: ${await system.storedEvents()} stored, ${memoryOf(system)}`), 15_000)

  try {
    const project = await createProject(system, 'Small')
    let isOver = false
    const otherTimes = timeToStored(system, { projects: [project], maker: small, rate: 1, isOver: () => isOver })
    const startedAt = performance.now()
    const { accepted, answered } = await flood(system)

    print(`${kind}: ${accepted} accepted, answers ${JSON.stringify(answered)}`)
    const endedAt = await untilStored(system, accepted)

    isOver = true
    const times = await otherTimes
    const perSecond = Math.round((accepted * 1000) / (endedAt - startedAt))

    print(`${kind}: stored in ${Math.round((endedAt - startedAt) / 1000)} s, ${perSecond} a second`)
    print(`${kind}: the other project's ${times.length} events: ${figuresOf(times)}; goal: seconds`)
    print(`${kind}: ${memoryOf(system)}`)
    await compareCounts(system, accepted)
  } finally {
    clearInterval(progress)
    await system.stop()
  }
}

async function flood(system: System) {
  let accepted = 0
  const onAccepted = () => {
    accepted += perEnvelope
  }
  const request = () => ({ bytes: post(system.intakePath, anEnvelope()), ok: onAccepted })
  const { answered } = await load({
    port: system.port,
    connections: 16,
    seconds: Infinity,
    request,
    isOver: () => accepted >= total
  })

  return { accepted, answered }
}

/** Events of 50 groups, each with its own id. */
function anEnvelope() {
  const lines = [JSON.stringify({ sdk: { name: 'sentry.bench', version: '1.0.0' } })]

  for (let n = 0; n < perEnvelope; n++) {
    const group = made++ % 50

    lines.push(
      '{"type":"event"}',
      JSON.stringify({
        event_id: randomBytes(16).toString('hex'),
        timestamp: Date.now() / 1000,
        platform: 'python',
        level: 'error',
        environment: 'production',
        exception: { values: [{ type: `Flood${group}`, value: `row ${made} could not be read` }] }
      })
    )
  }

  return gzipSync(lines.join('\n'), { level: 1 })
}

/** Waits for the backlog; the returned time is when it was empty. */
async function untilStored(system: System, accepted: number) {
  while ((await sumOf(system, 'error_groups')) < accepted) await sleep(200)

  return performance.now()
}

async function compareCounts(system: System, accepted: number) {
  const counts = {
    accepted,
    groups: await sumOf(system, 'error_groups'),
    hours: await sumOf(system, 'error_hourly_counts'),
    events: await read(system, 'SELECT count(*) AS n FROM error_events WHERE project_id = $1')
  }
  const isEqual = Object.values(counts).every(count => count === accepted)

  print(`${system.kind}: ${isEqual ? 'all counts are equal' : 'COUNTS DIFFER'}: ${JSON.stringify(counts)}`)
  if (!isEqual) process.exitCode = 1
}

function sumOf(system: System, table: 'error_groups' | 'error_hourly_counts') {
  return read(system, `SELECT coalesce(sum(events), 0) AS n FROM ${table} WHERE project_id = $1`)
}

async function read({ db, projectId }: System, query: string) {
  const { rows } = await db.query(query, [projectId])

  return Number(rows[0].n)
}

function figuresOf(times: number[]) {
  const [p50, p99, max] = [0.5, 0.99, 1].map(share => (percentile(times, share) / 1000).toFixed(2))

  return `p50 ${p50} s, p99 ${p99} s, slowest ${max} s`
}

function memoryOf(system: System) {
  const names = ['web', 'worker', ...(system.kind === 'redis' ? (['redis'] as const) : [])] as const

  return names
    .map(name => {
      const { now, peak } = system.memory(name)

      return `${name} ${now} MiB (peak ${peak})`
    })
    .join(', ')
}
