import { envelopeMaker } from './envelopes.ts'
import { load, post } from './load.ts'
import { type QueueKind, System } from './system.ts'

/** CPU time per stored event by process, in µs. With `--rules`, the project has notification rules that match its errors. */
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
    if (process.argv.includes('--rules')) await createRules(system)
    const request = () => ({ bytes: post(system.intakePath, maker.next().body) })
    const { port } = system
    const warm = await load({ port, connections: 64, seconds: 3, request })

    await system.untilStored(warm.answered['200'] ?? 0)
    const stored = await system.storedEvents()
    const before = cpuTimes(system)
    const startedAt = performance.now()
    const { answered } = await load({ port, connections: 64, seconds, request })
    const events = answered['200'] ?? 0
    const endedAt = await system.untilStored(stored + events)
    const after = cpuTimes(system)

    process.stdout.write(
      `${kind}: ${Math.round((events / (endedAt - startedAt)) * 1000)} a second, ${await batchSize(system)} in a batch\n`
    )
    for (const [name, ms] of Object.entries(after)) print(name, ((ms - before[name]!) * 1000) / events)
  } finally {
    await system.stop()
  }
}

/** A rule of each kind, with a webhook that is never reached. */
async function createRules({ db, projectId }: System) {
  await db.query(
    `WITH channel AS (
      INSERT INTO notification_channels (project_id, kind, name) VALUES ($1, 'webhook', 'Hook') RETURNING id
    )
    INSERT INTO notification_rules (project_id, name, triggers, threshold_events, threshold_minutes, unseen_hours, channel_ids)
    SELECT $1, trigger, ARRAY[trigger], 1000000, 60, 24, ARRAY[id]
    FROM channel, unnest('{error.new,error.regressed,error.frequent,error.unseen,error.spike,alert.triggered}'::text[]) trigger`,
    [projectId]
  )
}

async function batchSize({ port, token }: System) {
  const answer = await fetch(`http://127.0.0.1:${port}/-/metrics`, { headers: { 'private-token': token } })
  const text = await answer.text()
  const read = (name: string) => Number(new RegExp(`tocsin_batch_items_${name}\\{[^}]*errors[^}]*\\} (\\S+)`).exec(text)?.[1])

  return (read('sum') / read('count')).toFixed(1)
}

/** CPU time in ms by program; `load` is this process, which sends the envelopes. */
function cpuTimes(system: System): Record<string, number> {
  const { user, system: kernel } = process.cpuUsage()
  const names = ['web', 'worker', 'postgres', ...(system.kind === 'redis' ? (['redis'] as const) : [])] as const

  return { load: (user + kernel) / 1000, ...Object.fromEntries(names.map(name => [name, system.cpu(name)])) }
}

function print(name: string, micros: number) {
  process.stdout.write(`${name.padEnd(12)} ${micros.toFixed(0).padStart(6)} µs\n`)
}
