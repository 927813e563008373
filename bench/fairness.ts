import { setTimeout as sleep } from 'node:timers/promises'
import { envelopeMaker } from './envelopes.ts'
import { load, post } from './load.ts'
import { type QueueKind, System } from './system.ts'

/** How long events of 50 small projects take until they are stored: alone, and beside one project at 20 times its share. */
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const smallProjects = 50
const times = 20
const maker = envelopeMaker()
const print = (line: string) => process.stderr.write(`${line}\n`)

interface Project {
  id: number
  path: string
}

for (const queue of ['redis', 'postgres'] as const) {
  if (process.argv.includes('--only') && !process.argv.includes(queue)) continue
  await measure(queue)
}

async function measure(kind: QueueKind) {
  const system = new System(kind)

  print(`${kind}: starting …`)
  await system.start()
  try {
    const projects: Project[] = []

    for (let n = 0; n < smallProjects; n++) projects.push(await createProject(system, `Small ${n}`))
    const capacity = await capacityOf(system)
    const rate = Math.round((times * capacity) / (smallProjects + 1))
    // A tenth of the capacity for all of them: each sends far less than its share.
    const smallRate = Math.ceil(capacity / 10)

    print(
      `${kind}: ${capacity} events/s stored at most; ${smallRate}/s of ${smallProjects} projects, alone, then beside ${rate}/s of one …`
    )
    const alone = await timeToStored(system, projects, smallRate)
    const flood = load({ port: system.port, connections: 16, seconds: seconds + 1, rate, request: () => floodRequest(system) })
    await sleep(1000)
    const beside = await timeToStored(system, projects, smallRate)

    await flood
    for (const [name, { p50, p99 }] of Object.entries({ alone, beside })) print(`${kind}: ${name.padEnd(6)} p50 ${p50} ms, p99 ${p99} ms`)
    print(`${kind}: ratio  p50 ${(beside.p50 / alone.p50).toFixed(2)}, p99 ${(beside.p99 / alone.p99).toFixed(2)} (goal: at most 2)`)
  } finally {
    await system.stop()
  }
}

function floodRequest(system: System) {
  return { bytes: post(system.intakePath, maker.next().body) }
}

/** Events a second that are stored while more arrive. */
async function capacityOf(system: System) {
  const before = await system.storedEvents()
  const startedAt = performance.now()
  const { answered } = await load({ port: system.port, connections: 64, seconds: 4, request: () => floodRequest(system) })
  const endedAt = await system.untilStored(before + (answered['200'] ?? 0))

  return Math.round(((answered['200'] ?? 0) * 1000) / (endedAt - startedAt))
}

async function timeToStored(system: System, projects: Project[], rate: number) {
  const waiting = new Map<string, number>()
  const took: number[] = []
  let sent = 0
  let isSending = true
  const request = () => {
    const { id, body } = maker.next()
    const at = performance.now()

    return { bytes: post(projects[sent++ % projects.length]!.path, body), ok: () => void waiting.set(id, at) }
  }
  const sending = load({ port: system.port, connections: 10, seconds, rate, request }).then(() => {
    isSending = false
  })

  while (isSending || waiting.size > 0) {
    for (const id of await storedOf(system, projects, [...waiting.keys()])) {
      took.push(performance.now() - waiting.get(id)!)
      waiting.delete(id)
    }
    await sleep(5)
  }
  await sending
  took.sort((a, b) => a - b)
  const at = (share: number) => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)

  return { p50: at(0.5), p99: at(0.99) }
}

async function storedOf({ db }: System, projects: Project[], ids: string[]) {
  if (ids.length === 0) return []
  const { rows } = await db.query('SELECT event_id FROM error_events WHERE project_id = ANY($1) AND event_id = ANY($2::uuid[])', [
    projects.map(({ id }) => id),
    ids
  ])

  return rows.map(({ event_id }) => String(event_id).replaceAll('-', ''))
}

async function createProject(system: System, name: string): Promise<Project> {
  const call = async (method: string, path: string, body: object = {}) => {
    const response = await fetch(`http://127.0.0.1:${system.port}/api/v4${path}`, {
      method,
      headers: { 'private-token': system.token, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })

    return response.json() as Promise<{ id: number; public_key: string }>
  }
  const { id } = await call('POST', '/projects', { name })

  await call('PUT', `/projects/${id}/error_tracking/settings`, { active: true, integrated: true })
  const { public_key: key } = await call('POST', `/projects/${id}/error_tracking/client_keys`)

  return { id, path: `/api/${id}/envelope/?sentry_key=${key}` }
}
