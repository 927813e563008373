import { setTimeout as sleep } from 'node:timers/promises'
import { envelopeMaker } from './envelopes.ts'
import { load, post } from './load.ts'
import { median, percentile } from './percentiles.ts'
import { hasRedis, type QueueKind, System } from './system.ts'
import { createProject, type Project, timeToStored } from './time-to-stored.ts'

/**
 * How long events of 50 small projects take until they are stored: alone, and beside one project at 20 times its share.
 * Both are measured in turns, because a machine's speed changes within a minute.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const turns = 3
const smallProjects = 50
const times = 20
// Makers of their own: each small project repeats the same four groups, whatever the flood sends.
const small = envelopeMaker()
const large = envelopeMaker()
const print = (line: string) => process.stderr.write(`${line}\n`)

for (const kind of ['redis', 'postgres'] as const) {
  if (process.argv.includes('--only') && !process.argv.includes(kind)) continue
  if (kind === 'redis' && !hasRedis()) print('redis: skipped, because there is no redis-server on the PATH')
  else await measure(kind)
}

async function measure(kind: QueueKind) {
  const system = new System(kind)

  print(`${kind}: starting …`)
  await system.start()
  try {
    const projects: Project[] = []

    for (let n = 0; n < smallProjects; n++) projects.push(await createProject(system, `Small ${n}`))
    const capacity = await capacityOf(system)
    const floodRate = Math.round((times * capacity) / (smallProjects + 1))
    // A tenth of the capacity for all of them: each sends far less than its share.
    const sending = { projects, maker: small, rate: Math.ceil(capacity / 10), seconds }

    print(`${kind}: ${capacity} events/s stored at most; ${sending.rate}/s of ${smallProjects} projects, flood ${floodRate}/s`)
    // Creates the groups.
    await timeToStored(system, sending)
    const [alone, beside]: [number[][], number[][]] = [[], []]

    for (let turn = 0; turn < turns; turn++) {
      alone.push(await timeToStored(system, sending))
      beside.push(await duringFlood(system, floodRate, () => timeToStored(system, sending)))
      report(`${kind}: turn ${turn + 1}`, alone.slice(-1), beside.slice(-1))
    }
    report(`${kind}: median`, alone, beside)
  } finally {
    await system.stop()
  }
}

async function duringFlood(system: System, rate: number, run: () => Promise<number[]>) {
  const before = await system.storedEvents()
  const flood = load({ port: system.port, connections: 16, seconds: seconds + 1, rate, request: () => floodRequest(system) })

  await sleep(1000)
  const times = await run()

  await system.untilStored(before + times.length + ((await flood).answered['200'] ?? 0))

  return times
}

function floodRequest(system: System) {
  return { bytes: post(system.intakePath, large.next().body) }
}

/** Events a second that are stored while more arrive. */
async function capacityOf(system: System) {
  const before = await system.storedEvents()
  const startedAt = performance.now()
  const { answered } = await load({ port: system.port, connections: 64, seconds: 4, request: () => floodRequest(system) })
  const endedAt = await system.untilStored(before + (answered['200'] ?? 0))

  return Math.round(((answered['200'] ?? 0) * 1000) / (endedAt - startedAt))
}

function report(name: string, alone: number[][], beside: number[][]) {
  const figures = [0.5, 0.99].map(share => {
    const [before, after] = [alone, beside].map(turns => median(turns.map(times => percentile(times, share)))) as [number, number]

    return `p${share * 100} ${before} → ${after} ms (${(after / before).toFixed(2)})`
  })

  print(`${name}: ${figures.join(', ')}; goal: at most 2`)
}
