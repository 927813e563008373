import { readdirSync, readFileSync } from 'node:fs'
import { envelopeMaker } from './envelopes.ts'
import { load, post } from './load.ts'
import { type QueueKind, System } from './system.ts'

/** Which process spends how much of the processors on an event that goes the whole way, in µs. */
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const maker = envelopeMaker()

for (const kind of ['redis', 'postgres'] as const) {
  if (process.argv.includes('--only') && !process.argv.includes(kind)) continue
  await measure(kind)
}

async function measure(kind: QueueKind) {
  const system = new System(kind)

  await system.start()
  try {
    const request = () => ({ bytes: post(system.intakePath, maker.next().body) })
    const { port } = system
    const warm = await load({ port, connections: 64, seconds: 3, request })

    await system.untilStored(warm.answered['200'] ?? 0)
    const stored = await system.storedEvents()
    const before = spent()
    const startedAt = performance.now()
    const { answered } = await load({ port, connections: 64, seconds, request })
    const events = answered['200'] ?? 0
    const endedAt = await system.untilStored(stored + events)
    const after = spent()

    process.stdout.write(
      `${kind}: ${Math.round((events / (endedAt - startedAt)) * 1000)} a second, ${await batchSize(system)} in a batch\n`
    )
    for (const [name, ms] of after) say(name, ((ms - (before.get(name) ?? 0)) * 1000) / events)
  } finally {
    await system.stop()
  }
}

async function batchSize({ port, token }: System) {
  const answer = await fetch(`http://127.0.0.1:${port}/-/metrics`, { headers: { 'private-token': token } })
  const text = await answer.text()
  const read = (name: string) => Number(new RegExp(`tocsin_batch_items_${name}\\{[^}]*errors[^}]*\\} (\\S+)`).exec(text)?.[1])

  return (read('sum') / read('count')).toFixed(1)
}

/** Milliseconds by program, of this process and of all that descend from it. */
function spent() {
  const processes = new Map(readdirSync('/proc').flatMap(pid => (/^\d+$/.test(pid) ? readProcess(pid) : [])))
  const byName = new Map<string, number>()

  for (const [pid, { name, ms }] of processes) {
    if (!isOurs(pid, processes)) continue
    byName.set(name, (byName.get(name) ?? 0) + ms)
  }

  return byName
}

function readProcess(pid: string): [string, { name: string; parent: string; ms: number }][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')

    return [[pid, { name: nameOf(line), parent: fields[1]!, ms: (Number(fields[11]) + Number(fields[12])) * 10 }]]
  } catch {
    return []
  }
}

function nameOf(line: string) {
  if (line.includes('workers/main.ts')) return 'worker'
  if (line.includes('server.ts')) return 'web'
  if (line.includes('cpu.ts')) return 'load'

  return /redis-server|postgres/.exec(line)?.[0] ?? 'others'
}

function isOurs(pid: string, processes: Map<string, { parent: string }>): boolean {
  if (pid === String(process.pid)) return true
  const parent = processes.get(pid)?.parent

  return parent !== undefined && isOurs(parent, processes)
}

function say(name: string, micros: number) {
  process.stdout.write(`${name.padEnd(12)} ${micros.toFixed(0).padStart(6)} µs\n`)
}
