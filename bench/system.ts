import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { environment, node, root } from '../bin/install.js'
import { EmbeddedPostgres } from '../bin/postgres.js'
import { readProcfile } from '../bin/procfile.js'

export type QueueKind = 'postgres' | 'redis'

const procfile = readProcfile(join(root, 'Procfile'))

/** A whole Tocsin of its own, in a directory that goes away: database, queue, one web and one worker process. */
export class System {
  readonly kind: QueueKind
  readonly dir = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
  readonly token = 'glpat-bench-bench-bench-bench'
  port = 0
  redisPort = 0
  key = ''
  projectId = 0
  db!: pg.Pool
  #postgres = new EmbeddedPostgres({ dataDir: this.dir })
  #children = new Map<string, ChildProcess>()

  constructor(kind: QueueKind) {
    this.kind = kind
  }

  async start() {
    this.port = await freePort()
    await this.startDatabase()
    if (this.kind === 'redis') await this.startRedis()
    await this.startChild('web')
    await this.startChild('worker')
    this.db = new pg.Pool({ connectionString: this.#postgres.url, options: '-c search_path=tocsin', max: 2 })
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

  /** The server and every session, without a warning: what was not on disk by then is gone. */
  async killDatabase() {
    const server = this.#postgres.server!
    const gone = new Promise(resolve => server.once('exit', resolve))

    server.kill('SIGKILL')
    await gone
  }

  async startRedis() {
    this.redisPort ||= await freePort()
    const args = ['--port', String(this.redisPort), '--dir', this.dir, '--appendonly', 'yes', '--appendfsync', 'always', '--save', '']

    this.#children.set('redis', spawn('redis-server', args, { stdio: 'ignore' }))
    await reachable(this.redisPort)
  }

  startChild(type: 'web' | 'worker') {
    const [, ...args] = procfile.get(type)!.split(' ')
    const child = spawn(node, [...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []), ...args], {
      cwd: root,
      env: {
        ...environment(),
        PORT: String(this.port),
        DATABASE_URL: this.#postgres.url,
        REDIS_URL: this.kind === 'redis' ? `redis://127.0.0.1:${this.redisPort}` : '',
        ROOT_TOKEN: this.token,
        ROOT_PASSWORD: 'bench-bench',
        LOG_LEVEL: 'warn',
        PROCESS_NAME: type,
        NODE_COMPILE_CACHE: join(tmpdir(), 'tocsin-bench-compiled')
      },
      stdio: ['ignore', process.env.BENCH_LOG ? 'inherit' : 'ignore', process.env.BENCH_LOG ? 'inherit' : 'ignore', 'ipc']
    })

    this.#children.set(type, child)

    return new Promise<void>((resolve, reject) => {
      child.on('message', message => (message as { ready?: true }).ready && resolve())
      child.once('exit', code => reject(new Error(`${type} ended with ${code}`)))
    })
  }

  /** As the system would in an out-of-memory: no warning, nothing cleaned up. */
  async kill(name: 'web' | 'worker' | 'redis') {
    const child = this.#children.get(name)!
    const gone = new Promise(resolve => child.once('exit', resolve))

    child.kill('SIGKILL')
    await gone
  }

  /** Resident and peak memory of a process, in MiB. */
  memory(name: 'web' | 'worker' | 'redis') {
    const status = readFileSync(`/proc/${this.#children.get(name)!.pid}/status`, 'utf8')
    const read = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)

    return { now: read('VmRSS'), peak: read('VmHWM') }
  }

  /** Processor time that a process has used, in ms. */
  cpu(name: 'web' | 'worker' | 'redis') {
    const [user = 0, system = 0] = readFileSync(`/proc/${this.#children.get(name)!.pid}/stat`, 'utf8')
      .split(') ')[1]!
      .split(' ')
      .slice(11, 13)
      .map(Number)

    return (user + system) * 10
  }

  async storedEvents() {
    const { rows } = await this.db.query('SELECT coalesce(sum(events), 0)::bigint AS n FROM error_groups')

    return Number(rows[0].n)
  }

  /** Waits until so many events can be read; returns when that was. */
  async untilStored(count: number, patienceMs = 120_000) {
    const endsAt = performance.now() + patienceMs

    while (performance.now() < endsAt) {
      if ((await this.storedEvents()) >= count) return performance.now()
      await sleep(20)
    }
    throw new Error(`only ${await this.storedEvents()} of ${count} events were stored in time`)
  }

  async stop() {
    for (const [name, child] of this.#children) {
      if (name === 'redis' || child.exitCode !== null || child.signalCode !== null) continue
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    }
    this.#children.get('redis')?.kill()
    await this.db?.end()
    await this.#postgres.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }
}

async function reachable(port: number) {
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
