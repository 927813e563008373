import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresCluster } from './postgres-cluster.js'
import { endLeftover } from './postgres-leftover.js'
import { PostgresPrograms } from './postgres-programs.js'
import { PostgresSocket } from './postgres-socket.js'

// No TCP port: the socket lies in the data directory, so who may open that directory may connect.
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

/**
 * A Postgres of the project's own, from the binaries that its dependencies carry.
 * `settings` adds to or replaces the server's settings.
 */
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

  /** Makes the cluster where there is none yet; true when it did. */
  async prepare() {
    this.socket.check()
    this.programs = await PostgresPrograms.find()
    const cluster = new PostgresCluster(this.dir, this.programs)

    if (cluster.isThere()) {
      await endLeftover(this.dir)
      return false
    }
    cluster.make()

    return true
  }

  /** Starts the server; the child process is returned once it takes connections. */
  async start() {
    const flags = Object.entries({ ...settings, ...this.settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = this.programs.spawn('postgres', ['-D', this.programs.nameOf(this.dir), ...flags], this.dir, {
      // A group of its own: Ctrl-C in a terminal must reach the clients first and the server last.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })

    // Known at once, so that a stop in the middle of the start ends it too.
    this.server = server
    await this.#untilReady(server)

    return server
  }

  /** A fast shutdown: sessions are ended, everything is on disk. */
  async stop() {
    if (!this.server || hasEnded(this.server)) return

    const gone = new Promise(resolve => this.server.once('exit', resolve))
    this.server.kill('SIGINT')
    await gone
  }

  async #untilReady(server) {
    let last = ''
    const note = chunk => {
      last = String(chunk).trim() || last
      this.write(chunk)
    }

    for (const output of [server.stdout, server.stderr]) output.on('data', note)
    for (let waited = 0; !(await this.socket.answers()); waited += 20) {
      if (hasEnded(server)) throw new Error(`Postgres did not start: ${last}`)
      if (waited > 120_000) throw new Error(`Postgres is not ready after two minutes: ${last}`)
      await sleep(20)
    }
  }
}

function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null
}
