import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { envelopeMaker } from './envelopes.ts'
import { load, type Outcome, post } from './load.ts'
import { type QueueKind, System } from './system.ts'

const help = `Usage: npm run bench no-loss [-- --kills 20] [--only redis|postgres] [--seed N] [--rate 400] [--json]
                             [--victims worker,web,redis,database,session] [--patience 180] [--alerts]

Kills the worker, the web process, Redis, the database or one of its sessions at random (kill -9)
under a steady load, restarts each, and then checks that every event answered with 200 is stored
exactly once; with --alerts, that every alert is counted once and numbered without gaps.
The seed is printed; the same seed kills in the same order.
Both queue backends are tested in parallel, each in its own system.
`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rate: { type: 'string', default: '400' },
    patience: { type: 'string', default: '180' },
    victims: { type: 'string', default: 'worker,web,redis,database,session' },
    alerts: { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean' }
  }
})

if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const log = ({ kind }: System, line: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${kind.padEnd(8)}  ${line}\n`)
const kinds = (['redis', 'postgres'] as const).filter(kind => !values.only || values.only === kind)
const systems = kinds.map(kind => new System(kind))

type Victim = 'worker' | 'web' | 'redis' | 'database' | 'session'

interface Verdict {
  queue: QueueKind
  kills: Record<string, number>
  answered: Outcome['answered']
  accepted: number
  stored: number
  missing: string[]
  twice: number
  /** Stored, but not acknowledged: the sender may repeat them, and they stay one event. */
  unacknowledged: number
  /** Each must equal the number of stored events. */
  counters: Record<string, number>
  failedJobs: number
  /** Processes that ended when another one was killed. */
  ended: string[]
  isDrained: boolean
  drainSeconds: number
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopAll().finally(() => process.exit(1)))

process.stderr.write(`seed ${values.seed}\n`)
try {
  // In sequence: the second system reuses files that the first start creates.
  for (const system of systems) await system.start()
  const verdicts = await Promise.all(systems.map(prove))

  if (values.json) process.stdout.write(`${JSON.stringify({ seed: Number(values.seed), verdicts }, null, 2)}\n`)
  else for (const verdict of verdicts) print(verdict)
  process.exitCode = verdicts.every(isPassed) ? 0 : 1
} finally {
  await stopAll()
}

function stopAll() {
  return Promise.all(systems.map(system => system.stop()))
}

async function prove(system: System): Promise<Verdict> {
  const accepted = new Set<string>()
  const request = values.alerts ? await alertsOf(system, accepted) : eventsOf(system, accepted)
  let isOver = false
  const loading = load({ port: system.port, connections: 32, seconds: 3600, rate: Number(values.rate), request, isOver: () => isOver })
  const kills = await killAtRandom(system, Number(values.kills))

  isOver = true
  const { answered } = await loading
  const endedAt = performance.now()

  log(system, `${accepted.size} accepted; waiting until all are stored …`)
  const isDrained = await untilQuiet(system)

  return {
    queue: system.kind,
    kills,
    answered,
    ended: [...system.ended],
    isDrained,
    drainSeconds: Math.round((performance.now() - endedAt) / 1000),
    ...(await (values.alerts ? compareAlerts : compare)(system, accepted))
  }
}

function eventsOf({ intakePath }: System, accepted: Set<string>) {
  const maker = envelopeMaker()

  return () => {
    const { id, body } = maker.next()

    return { bytes: post(intakePath, body), ok: () => void accepted.add(id) }
  }
}

/** Every request is a new alert. */
async function alertsOf({ db }: System, accepted: Set<string>) {
  const key = '0123456789abcdef'.repeat(2)
  const head = `POST /root/demo/alerts/notify.json HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  let n = 0

  await db.query('UPDATE alert_integrations SET token_hash = sha256($1)', [key])

  return () => {
    const title = `Alert ${++n}`
    const body = JSON.stringify({ title })

    return { bytes: Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`), ok: () => void accepted.add(title) }
  }
}

async function killAtRandom(system: System, count: number) {
  const random = generator(Number(values.seed))
  const victims = (values.victims.split(',') as Victim[]).filter(victim => victim !== 'redis' || system.kind === 'redis')
  const kills: Record<string, number> = {}

  for (let n = 1; n <= count; n++) {
    await sleep(1000 + random() * 2500)
    const victim = victims[Math.floor(random() * victims.length)]!
    const pause = Math.round(random() * 1500)
    const share = random()

    kills[victim] = (kills[victim] ?? 0) + 1
    log(system, `${n}/${count}: kill -9 ${victim}${victim === 'session' ? '' : `, back in ${pause} ms`}`)
    if (victim === 'session') await system.killSession(share)
    else await kill(system, victim, pause)
    await startEnded(system)
  }
  await sleep(1000)

  return kills
}

async function kill(system: System, victim: Exclude<Victim, 'session'>, pause: number) {
  if (victim === 'database') {
    await system.killDatabase()
    await sleep(pause)
    await system.startDatabase()
  } else {
    await system.kill(victim)
    await sleep(pause)
    await (victim === 'redis' ? system.startRedis() : system.startChild(victim))
  }
}

/** Restarts ended processes as the launcher would; the verdict lists them. */
async function startEnded(system: System) {
  for (const name of ['web', 'worker'] as const) {
    if (system.isRunning(name)) continue
    log(system, `${system.ended.at(-1)} ended unexpectedly; restarting it`)
    await system.startChild(name)
  }
}

/** Waits until the queues are empty and the number of stored items is stable. */
async function untilQuiet(system: System) {
  const endsAt = performance.now() + Number(values.patience) * 1000
  let quiet = 0

  for (let last = -1; quiet < 3 && performance.now() < endsAt; ) {
    const now = values.alerts ? await numberOf(system, 'SELECT count(*) AS n FROM alerts') : await system.storedEvents()
    const left = await waiting(system)
    const isIdle = left === 0

    if (!isIdle) log(system, `${now} stored, ${left} left`)

    quiet = now === last && isIdle ? quiet + 1 : 0
    last = now
    await sleep(1000)
  }

  return quiet === 3
}

async function waiting(system: System) {
  const { queues } = await readiness(system)

  return Object.values(queues).reduce((sum, { waiting_items: items, oldest_seconds: age }) => sum + items + (age > 0 ? 1 : 0), 0)
}

interface Readiness {
  queues: Record<string, { waiting_items: number; oldest_seconds: number; failed_jobs: number }>
}

async function readiness(system: System) {
  return (await (await fetch(`http://127.0.0.1:${system.port}/-/readiness`)).json()) as Readiness
}

async function compare(system: System, accepted: Set<string>) {
  const { rows } = await system.db.query('SELECT event_id FROM error_events')
  const stored = rows.map(row => row.event_id.replaceAll('-', '') as string)

  return {
    ...(await weigh(system, accepted, stored)),
    counters: {
      groups: await numberOf(system, 'SELECT coalesce(sum(events), 0) AS n FROM error_groups'),
      tallies: await numberOf(system, 'SELECT coalesce(sum(events), 0) AS n FROM error_hourly_counts')
    }
  }
}

/** Numbers without gaps and duplicates end with the number of alerts. */
async function compareAlerts(system: System, accepted: Set<string>) {
  const { rows } = await system.db.query('SELECT title FROM alerts')

  return {
    ...(await weigh(
      system,
      accepted,
      rows.map(({ title }) => title)
    )),
    counters: {
      occurrences: await numberOf(system, 'SELECT coalesce(sum(events), 0) AS n FROM alerts'),
      'last number': await numberOf(system, 'SELECT coalesce(max(iid), 0) AS n FROM alerts')
    }
  }
}

async function weigh(system: System, accepted: Set<string>, stored: string[]) {
  const found = new Set(stored)
  const { queues } = await readiness(system)

  return {
    accepted: accepted.size,
    stored: stored.length,
    missing: [...accepted].filter(id => !found.has(id)),
    twice: stored.length - found.size,
    unacknowledged: [...found].filter(id => !accepted.has(id)).length,
    failedJobs: Object.values(queues).reduce((sum, queue) => sum + queue.failed_jobs, 0)
  }
}

async function numberOf({ db }: System, sql: string) {
  return Number((await db.query(sql)).rows[0].n)
}

function isPassed({ missing, twice, stored, counters, failedJobs, ended, isDrained }: Verdict) {
  const isCounted = Object.values(counters).every(count => count === stored)

  return missing.length === 0 && twice === 0 && failedJobs === 0 && ended.length === 0 && isCounted && isDrained
}

function print(verdict: Verdict) {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')

  process.stdout.write(`
${verdict.queue}: ${isPassed(verdict) ? 'no loss, no duplicates' : 'FAILED'} (seed ${values.seed})
  killed            ${list(verdict.kills)}
  answered          ${list(verdict.answered)}
  accepted (2xx)    ${verdict.accepted}
  stored            ${verdict.stored}, of which ${verdict.unacknowledged} were not acknowledged
  missing           ${verdict.missing.length} ${verdict.missing.slice(0, 5).join(' ')}
  twice             ${verdict.twice}
  counters          ${list(verdict.counters)}
  failed jobs       ${verdict.failedJobs}
  ended unexpectedly ${verdict.ended.join(', ') || 0}
  drained in        ${verdict.drainSeconds} s${verdict.isDrained ? '' : ': NOT DRAINED'}
`)
}

/** Mulberry32, a seeded random number generator. */
function generator(seed: number) {
  let state = seed >>> 0

  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)

    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
