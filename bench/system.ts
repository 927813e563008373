import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { bundle } from '../bin/bundle.js'
import { root } from '../bin/install.js'
import { EmbeddedPostgres } from '../bin/postgres/embedded-postgres.js'
import { programIn } from '../bin/programs.js'

export type QueueKind = 'postgres' | 'redis'

/** Keeps nothing secret: databases of benchmarks are gone after them. */
export const secretKey = 'the secret key of all benchmarks, nowhere else'

export function hasRedis() {
  return !spawnSync('redis-server', ['--version']).error
}

/**
 * A complete Tocsin in a temporary directory: database, queue, one web and one worker process.
 * `BENCH_DIR` names a directory that is kept for the next run.
 */
export class System {
  readonly kind: QueueKind
  readonly dir = process.env.BENCH_DIR || mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
  readonly token = 'glpat-bench-bench-bench-bench'
  port = 0
  redisPort = 0
  key = ''
  projectId = 0
  db!: pg.Pool
  #postgres = new EmbeddedPostgres({ dataDir: this.dir })
  #children = new Map<string, ChildProcess>()
  #stopped = new WeakSet<ChildProcess>()
  /** Processes that ended unexpectedly; there is no launcher to restart them. */
  readonly ended: string[] = []

  constructor(kind: QueueKind) {
    this.kind = kind
  }

  async start() {
    this.port = await freePort()
    await this.startDatabase()
    if (this.kind === 'redis') await this.startRedis()
    await this.startChild('web')
    await this.startChild('worker')
    this.db = new pg.Pool({ connectionString: this.#postgres.url, options: '-c search_path=tocsin -c work_mem=256MB', max: 2 })
    this.db.on('error', () => {})

    const { rows } = await this.db.query('SELECT project_id, public_key FROM client_keys ORDER BY id LIMIT 1')
    this.projectId = Number(rows[0].project_id)
    this.key = rows[0].public_key
  }

  get intakePath() {
    return `/errortracking/api/v1/projects/api/${this.projectId}/envelope/?sentry_key=${this.key}`
  }

  async startDatabase() {
    await this.#postgres.prepare()
    await this.#postgres.start()
  }

  /** Kills the server and every session; unwritten data is lost. */
  async killDatabase() {
    const server = this.#postgres.server!
    const exited = new Promise(resolve => server.once('exit', resolve))
    // Every session has its own process group.
    const sessions = childrenOf(server.pid!)

    server.kill('SIGKILL')
    for (const pid of sessions) killIfRunning(pid)
    await exited
    // The next server does not start until the shared memory is released.
    await sleep(100)
  }

  /** Kills one client session, selected by a share of 0 to 1. Postgres then ends all sessions and recovers. */
  async killSession(share: number) {
    const { rows } = await this.db.query(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid`
    )

    killIfRunning(rows[Math.floor(share * rows.length)]?.pid)
    await sleep(100)
    const endsAt = performance.now() + 60_000

    while (!(await this.db.query('SELECT 1').catch(() => undefined))) {
      if (performance.now() > endsAt) throw new Error('the database did not recover within a minute')
      await sleep(20)
    }
  }

  async startRedis() {
    this.redisPort ||= await freePort()
    const args = ['--port', String(this.redisPort), '--dir', this.dir, '--appendonly', 'yes', '--appendfsync', 'always', '--save', '']

    this.#children.set('redis', spawn('redis-server', args, { stdio: 'ignore' }))
    await waitForPort(this.redisPort)
  }

  async startChild(type: 'web' | 'worker') {
    const { file, args, env } = programIn(await bundle(), type, [], {
      DATA_DIR: this.dir,
      PORT: String(this.port),
      DATABASE_URL: this.#postgres.url,
      SECRET_KEY: secretKey,
      REDIS_URL: this.kind === 'redis' ? `redis://127.0.0.1:${this.redisPort}` : '',
      ROOT_TOKEN: this.token,
      ROOT_PASSWORD: 'bench-bench',
      LOG_LEVEL: 'warn',
      PROCESS_NAME: type,
      // Like the launcher after its first start.
      NODE_COMPILE_CACHE: join(tmpdir(), 'tocsin-bench-compiled')
    })
    const output = process.env.BENCH_LOG ? 'inherit' : 'ignore'
    // The last flag of a name counts.
    const flags = process.env.BENCH_NODE_ARGS?.split(' ').filter(Boolean) ?? []
    const child = spawn(file, args.toSpliced(-1, 0, ...flags), {
      cwd: root,
      env,
      stdio: ['ignore', output, output, 'ipc']
    })

    this.#children.set(type, child)

    child.once('exit', (code, signal) => this.#stopped.has(child) || this.ended.push(`${type} (${signal ?? `exit code ${code}`})`))

    return new Promise<void>((resolve, reject) => {
      child.on('message', message => (message as { ready?: true }).ready && resolve())
      child.once('exit', (code, signal) => reject(new Error(`${type} ended with ${signal ?? code} before it was ready`)))
      setTimeout(() => reject(new Error(`${type} was not ready within a minute`)), 60_000).unref()
    })
  }

  isRunning(name: 'web' | 'worker' | 'redis') {
    const child = this.#children.get(name)!

    return child.exitCode === null && child.signalCode === null
  }

  /** Like the kernel's out-of-memory killer: no cleanup. */
  async kill(name: 'web' | 'worker' | 'redis') {
    const child = this.#children.get(name)!

    if (!this.isRunning(name)) return
    const exited = new Promise(resolve => child.once('exit', resolve))

    this.#stopped.add(child)
    child.kill('SIGKILL')
    await exited
  }

  /** Sends SIGTERM and waits; returns the duration in seconds. */
  async end(name: 'web' | 'worker') {
    const child = this.#children.get(name)
    const startedAt = performance.now()

    if (!child || !this.isRunning(name)) return 0
    const exited = new Promise(resolve => child.once('exit', resolve))

    this.#stopped.add(child)
    child.kill('SIGTERM')
    await exited

    return (performance.now() - startedAt) / 1000
  }

  pid(name: 'web' | 'worker' | 'redis') {
    return this.#children.get(name)!.pid!
  }

  /** Resident and peak memory of a process, in MiB. */
  memory(name: 'web' | 'worker' | 'redis') {
    const status = readFileSync(`/proc/${this.#children.get(name)!.pid}/status`, 'utf8')
    const read = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)

    return { now: read('VmRSS'), peak: read('VmHWM') }
  }

  /** CPU time of a process in ms; for the database with all its sessions, ended ones included. */
  cpu(name: 'web' | 'worker' | 'redis' | 'postgres') {
    if (name !== 'postgres') return cpuOf(this.#children.get(name)!.pid!)
    const server = this.#postgres.server!.pid!

    return [server, ...childrenOf(server)].reduce((sum, pid) => sum + cpuOf(pid), 0)
  }

  async storedEvents() {
    const { rows } = await this.db.query('SELECT coalesce(sum(events), 0)::bigint AS n FROM error_groups')

    return Number(rows[0].n)
  }

  /** Waits until `count` events are stored; returns the time. */
  async untilStored(count: number, timeoutMs = 120_000) {
    const endsAt = performance.now() + timeoutMs

    while (performance.now() < endsAt) {
      if ((await this.storedEvents()) >= count) return performance.now()
      await sleep(20)
    }
    throw new Error(`only ${await this.storedEvents()} of ${count} events were stored in time`)
  }

  async stop() {
    for (const name of ['web', 'worker'] as const) await this.end(name)
    this.#children.get('redis')?.kill()
    await this.db?.end()
    await this.#postgres.stop()
    if (!process.env.BENCH_DIR) rmSync(this.dir, { recursive: true, force: true })
  }
}

function childrenOf(pid: number) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** CPU time of the process and its ended children; 0 if the process has ended. */
function cpuOf(pid: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 15)

    return fields.reduce((sum, ticks) => sum + Number(ticks), 0) * 10
  } catch {
    return 0
  }
}

function killIfRunning(pid: number | undefined) {
  try {
    if (pid) process.kill(pid, 'SIGKILL')
  } catch {}
}

async function waitForPort(port: number) {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>(resolve => {
      const socket = connect({ port, host: '127.0.0.1' })
        .once('connect', () => resolve(true))
        .once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })

    if (isOpen) return
    await sleep(25)
  }
  throw new Error(`nothing listens on port ${port}`)
}

export function freePort() {
  return new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
