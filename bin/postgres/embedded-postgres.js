import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded } from '../process.js'
import { createCluster, hasCluster } from './cluster.js'
import { isReady, stopOrphan } from './postmaster.js'
import { PostgresPrograms } from './programs.js'

// No TCP port: access to the socket is access to the data directory.
const settings = {
  listen_addresses: '',
  unix_socket_directories: '.',
  max_connections: '200',
  shared_buffers: '64MB',
  io_method: 'sync',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  max_logical_replication_workers: '0',
  log_min_messages: 'warning',
  log_line_prefix: ''
}

/** A Postgres server in a data directory, run from the binaries in the dependencies. `settings` overrides the defaults above. */
export class EmbeddedPostgres {
  constructor({ dataDir, settings = {}, write = () => {} }) {
    this.dir = resolve(dataDir, 'postgres')
    this.settings = settings
    this.write = write
  }

  get url() {
    return `postgresql://tocsin@/tocsin?host=${encodeURIComponent(this.dir)}`
  }

  /** Creates the cluster if there is none, and stops an orphaned server of an existing one. */
  async prepare() {
    checkSocketLength(join(this.dir, '.s.PGSQL.5432'))
    this.programs = await PostgresPrograms.find()
    if (hasCluster(this.dir)) await stopOrphan(this.dir)
    else createCluster(this.dir, this.programs)
  }

  /** Starts the server and returns its process once it accepts connections. */
  async start() {
    const flags = Object.entries({ ...settings, ...this.settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const startedAt = Date.now()

    // Set before the server is ready, so that stop() works during the start.
    this.server = this.programs.spawn('postgres', ['-D', this.programs.nameOf(this.dir), ...flags], this.dir, {
      // Its own process group: Ctrl-C in a terminal must not stop the server before its clients.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    await this.#untilReady(this.server, startedAt)

    return this.server
  }

  /** Fast shutdown: ends the sessions and writes everything to disk. */
  async stop() {
    if (!this.server || hasEnded(this.server)) return

    const exited = new Promise(resolve => this.server.once('exit', resolve))
    this.server.kill('SIGINT')
    await exited
  }

  async #untilReady(server, startedAt) {
    let last = ''

    for (const output of [server.stdout, server.stderr])
      output.on('data', chunk => {
        last = String(chunk).trim() || last
        this.write(chunk)
      })
    while (!isReady(this.dir, server.pid, startedAt)) {
      if (hasEnded(server)) throw new Error(`Postgres did not start: ${last}`)
      if (Date.now() - startedAt > 120_000) throw new Error(`Postgres is not ready after two minutes: ${last}`)
      await sleep(20)
    }
  }
}

function checkSocketLength(path) {
  const max = process.platform === 'linux' ? 107 : 103
  const length = Buffer.byteLength(path)

  if (length <= max) return
  throw new Error(
    `DATA_DIR is too deep: the database's socket ${path} would have ${length} characters, ` +
      `and the system allows ${max}. Set DATA_DIR to a shorter path.`
  )
}
