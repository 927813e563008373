import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashSecret, newSecret } from '../src/identity/secrets.ts'
import { freePort, System } from './system.ts'

/**
 * Opens pages that are told of changes by server-sent events, and measures how much memory the web process needs for them, and how long
 * it takes until all are told. Settings: `BENCH_PAGES` (2000), `BENCH_SECONDS` (40) until memory is read.
 */
const pages = Number(process.env.BENCH_PAGES ?? 2000)
const seconds = Number(process.env.BENCH_SECONDS ?? 40)
const goalMiB = 20
const perUser = 40
const print = (line: string) => process.stdout.write(`${line}\n`)

const inspectorPort = await freePort()

process.env.BENCH_NODE_ARGS = `--inspect-port=${inspectorPort}`
process.env.RATE_LIMIT_USER = '0'
process.env.RATE_LIMIT_IP = '0'
const system = new System('postgres')
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

await system.start()
try {
  const cookies = await signIn(Math.ceil(pages / perUser))
  const path = `/-/live?topics=errors:${system.projectId},alerts:${system.projectId}`

  // The first requests compile code and fill pools.
  for (const response of await openAll(pages, path, cookies)) response.destroy()
  await collectGarbage()
  const before = system.memory('web')
  const cpuBefore = system.cpu('web')
  const open = await openAll(pages, path, cookies)
  const cpu = system.cpu('web') - cpuBefore
  await sleep(seconds * 1000)
  await collectGarbage()
  const after = system.memory('web')
  const told = await untilAllAreTold(open)

  print(`${pages} open pages: web ${before.now} MiB before, ${after.now} MiB after ${seconds} s, peak ${after.peak} MiB`)
  print(`${after.now - before.now} MiB more (goal: below ${goalMiB}); ${(cpu / pages).toFixed(1)} ms of CPU time to open one`)
  print(`a change is told to all of them in ${Math.round(told)} ms; ${system.memory('web').now} MiB then`)
  if (after.now - before.now >= goalMiB) process.exitCode = 1
} finally {
  agent.destroy()
  await system.stop()
}

/** Each user has one session, of an admin. */
async function signIn(users: number) {
  const { rows } = await system.db.query(
    `INSERT INTO users (username, name, email, is_admin)
     SELECT 'reader-' || n, 'Reader', 'reader-' || n || '@example.com', true FROM generate_series(1, $1) n RETURNING id`,
    [users]
  )
  const secrets = rows.map(() => newSecret())

  await system.db.query(
    `INSERT INTO sessions (user_id, token_hash, seen_at, created_at, expires_at)
     SELECT id, hash, now(), now(), now() + interval '1 day' FROM unnest($1::bigint[], $2::bytea[]) AS s (id, hash)`,
    [rows.map(({ id }) => id), secrets.map(hashSecret)]
  )

  return secrets.map(secret => `_service_session=${secret}`)
}

async function openAll(count: number, path: string, cookies: string[]) {
  const open: IncomingMessage[] = []

  for (let n = 0; n < count; n += 50) {
    open.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - n) }, (_, m) => openOne(path, cookies[(n + m) % cookies.length]!))))
    )
  }

  return open
}

function openOne(path: string, cookie: string) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: system.port, path, agent, headers: { cookie, accept: 'text/event-stream' } }, response => {
      if (response.statusCode === 200) resolve(response.resume())
      else reject(new Error(`answered ${response.statusCode}`))
    }).once('error', reject)
  })
}

async function untilAllAreTold(open: IncomingMessage[]) {
  const told = Promise.all(
    open.map(response => new Promise<void>(resolve => response.on('data', chunk => String(chunk).includes('data:') && resolve())))
  )
  const startedAt = performance.now()

  await system.db.query(`SELECT pg_notify('tocsin_live', $1)`, [`alerts:${system.projectId}:1`])
  await told

  return performance.now() - startedAt
}

/** What is left over of the requests themselves says nothing about the connections. */
async function collectGarbage() {
  await sleep(2000)
  process.kill(system.pid('web'), 'SIGUSR1')
  const [{ webSocketDebuggerUrl: url }] = await untilListed()
  const inspector = new WebSocket(url)

  await new Promise(resolve => inspector.addEventListener('open', resolve, { once: true }))
  for (let id = 1; id <= 3; id++) {
    const done = new Promise(resolve => inspector.addEventListener('message', resolve, { once: true }))

    inspector.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await done
  }
  inspector.close()
  await sleep(2000)
}

async function untilListed() {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`).catch(() => undefined)

    if (response) return (await response.json()) as [{ webSocketDebuggerUrl: string }]
    await sleep(50)
  }
}
