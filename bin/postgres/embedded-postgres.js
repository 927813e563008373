import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded } from '../process.js'
import { PostgresCluster } from './cluster.js'
import { PostgresPrograms } from './programs.js'
import { PostgresSocket } from './socket.js'
import { stopOrphan } from './stop-orphan.js'

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
    this.socket = new PostgresSocket(this.dir)
    this.settings = settings
    this.write = write
  }

  get url() {
    return `postgresql://tocsin@/tocsin?host=${encodeURIComponent(this.dir)}`
  }

  /** Creates the cluster if there is none, and stops an orphaned server of an existing one. */
  async prepare() {
    this.socket.checkLength()
    this.programs = await PostgresPrograms.find()
    const cluster = new PostgresCluster(this.dir, this.programs)

    if (cluster.exists()) await stopOrphan(this.dir)
    else cluster.create()
  }

  /** Starts the server and returns its process once it accepts connections. */
  async start() {
    const flags = Object.entries({ ...settings, ...this.settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = this.programs.spawn('postgres', ['-D', this.programs.nameOf(this.dir), ...flags], this.dir, {
      // Its own process group: Ctrl-C in a terminal must not stop the server before its clients.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })

    // Set before the server is ready, so that stop() works during the start.
    this.server = server
    await this.#untilReady(server)

    return server
  }

  /** Fast shutdown: ends the sessions and writes everything to disk. */
  async stop() {
    if (!this.server || hasEnded(this.server)) return

    const gone = new Promise(resolve => this.server.once('exit', resolve))
    this.server.kill('SIGINT')
    await gone
  }

  async #untilReady(server) {
    let last = ''
    const keepLast = chunk => {
      last = String(chunk).trim() || last
      this.write(chunk)
    }

    for (const output of [server.stdout, server.stderr]) output.on('data', keepLast)
    for (let waitedMs = 0; !(await this.socket.isReady()); waitedMs += 20) {
      if (hasEnded(server)) throw new Error(`Postgres did not start: ${last}`)
      if (waitedMs > 120_000) throw new Error(`Postgres is not ready after two minutes: ${last}`)
      await sleep(20)
    }
  }
}
