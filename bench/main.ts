import { availableParallelism, cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { envelopeMaker } from './envelopes.ts'
import { measureIdle } from './idle.ts'
import { load, type Outcome, post } from './load.ts'
import { hasRedis, type QueueKind, System } from './system.ts'
import { withBare } from './with-bare.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const connections = 64
const maker = envelopeMaker()
const isJson = process.argv.includes('--json')
const print = (line: string) => process.stderr.write(`${line}\n`)

interface Measured {
  queue: QueueKind
  intake: Outcome
  intakeShare: number
  endToEnd: { perSecond: number; share: number; events: number }
  half: Outcome
  memory: { web: number; worker: number; queuePerItem: number }
}

print(
  `envelopes of ${maker.inflatedBytes} bytes (${maker.next().body.length} gzipped), 200 groups, ${connections} connections, ${seconds} s each`
)

const only = process.argv.includes('--only') ? process.argv.at(process.argv.indexOf('--only') + 1) : undefined
const bares: Outcome[] = []
const measured: Measured[] = []

for (const kind of ['redis', 'postgres'] as const) {
  if (only && only !== kind) continue
  if (kind === 'redis' && !hasRedis()) print('redis: skipped, because there is no redis-server on the PATH')
  else measured.push(await measure(kind))
}

print('npm start, idle …')
const idle = await measureIdle()

report()

/** Measured again before each figure that is relative to it: a machine's speed changes within a minute. */
async function measureBare() {
  print('bare node:http …')
  const outcome = await withBare(async port => {
    const request = () => ({ bytes: post('/', maker.next().body) })

    await load({ port, connections, seconds: 1, request })

    return load({ port, connections, seconds: seconds / 2, request })
  })

  bares.push(outcome)

  return outcome
}

async function measure(kind: QueueKind): Promise<Measured> {
  const system = new System(kind)

  print(`${kind}: starting …`)
  await system.start()
  try {
    // Restart: the first start compiles all code, which increases its memory.
    for (const name of ['web', 'worker'] as const) {
      await system.end(name)
      await system.startChild(name)
    }
    const request = () => ({ bytes: post(system.intakePath, maker.next().body) })
    const { port } = system

    await load({ port, connections, seconds: 2, request })
    await drained(system)

    const beforeWhole = await measureBare()

    print(`${kind}: end to end, one web and one worker process …`)
    const before = await system.storedEvents()
    const startedAt = performance.now()
    const total = await load({ port, connections, seconds, request })
    const events = total.answered['200'] ?? 0
    const endedAt = await system.untilStored(before + events)
    const perSecond = Math.round(events / ((endedAt - startedAt) / 1000))

    print(`${kind}: at half that rate …`)
    const half = await load({ port, connections: 32, seconds: seconds / 2, rate: perSecond / 2, request })
    await drained(system)

    const beforeIntake = await measureBare()

    print(`${kind}: accepted and durable, no worker …`)
    const { peak: worker } = system.memory('worker')
    await system.kill('worker')
    const empty = await queueBytes(system)
    const intake = await load({ port, connections, seconds, request })
    const waiting = intake.answered['200'] ?? 0

    return {
      queue: kind,
      intake,
      intakeShare: intake.perSecond / beforeIntake.perSecond,
      endToEnd: { perSecond, share: perSecond / beforeWhole.perSecond, events },
      half,
      memory: { web: system.memory('web').peak, worker, queuePerItem: Math.round(((await queueBytes(system)) - empty) / waiting) }
    }
  } finally {
    await system.stop()
  }
}

async function drained(system: System) {
  let last = -1

  for (let now = await system.storedEvents(); now !== last; now = await system.storedEvents()) {
    last = now
    await sleep(1500)
  }
}

/** Size of the queue: memory in Redis, disk in Postgres. */
async function queueBytes(system: System) {
  if (system.kind === 'redis') return system.memory('redis').now * 1024 * 1024
  const { rows } = await system.db.query(`SELECT pg_total_relation_size('tocsin_queue.job') AS bytes`)

  return Number(rows[0].bytes)
}

function report() {
  if (isJson)
    return process.stdout.write(
      `${JSON.stringify({ machine: { cpu: cpus()[0]?.model, cores: availableParallelism() }, bares, measured, idle }, null, 2)}\n`
    )

  const rows = [
    ['', 'per second', 'of bare', 'p50 ms', 'p99 ms', ''],
    ...bares.map(bare => ['bare node:http', String(bare.perSecond), '1', String(bare.p50), String(bare.p99), '']),
    ...measured.flatMap(({ queue, intake, intakeShare, endToEnd, half, memory }) => [
      [`${queue}: accepted`, String(intake.perSecond), intakeShare.toFixed(3), String(intake.p50), String(intake.p99), statuses(intake)],
      [`${queue}: end to end`, String(endToEnd.perSecond), endToEnd.share.toFixed(3), '', '', `${endToEnd.events} events`],
      [`${queue}: at half load`, String(half.perSecond), '', String(half.p50), String(half.p99), statuses(half)],
      [
        `${queue}: memory`,
        '',
        '',
        '',
        '',
        `web ${memory.web} MiB, worker ${memory.worker} MiB (peaks), ${memory.queuePerItem} bytes per waiting item`
      ]
    ]),
    ['npm start, idle', '', '', '', '', `${idle.total} MiB in total (${shares(idle.processes)}); a second start takes ${idle.start} ms`]
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))

  for (const row of rows)
    process.stdout.write(`${row.map((cell, n) => (n === 0 || n === 5 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join('  ')}\n`)
}

function statuses({ answered }: Outcome) {
  return Object.entries(answered)
    .filter(([status]) => status !== '200')
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}

function shares(processes: Record<string, number>) {
  return Object.entries(processes)
    .map(([name, mebibytes]) => `${name} ${mebibytes}`)
    .join(', ')
}
