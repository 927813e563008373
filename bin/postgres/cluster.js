import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A database cluster: the directory that `initdb` creates for one server. */
export class PostgresCluster {
  constructor(dir, programs) {
    this.dir = dir
    this.programs = programs
  }

  /** Throws when the cluster belongs to another major version of Postgres. */
  exists() {
    const file = join(this.dir, 'PG_VERSION')

    if (!existsSync(file)) return false
    const version = readFileSync(file, 'utf8').trim()

    if (version === '18') return true
    throw new Error(
      `${this.dir} was created by Postgres ${version}, but this is Postgres 18. ` +
        'Make a backup with the previous release and restore it into a new DATA_DIR (docs/operations.md, "Upgrade").'
    )
  }

  create() {
    const partial = `${this.dir}.partial`
    const { user } = this.programs

    // Renamed when complete: an interrupted initdb must not look like a cluster.
    rmSync(partial, { recursive: true, force: true })
    rmSync(this.dir, { recursive: true, force: true })
    mkdirSync(partial, { recursive: true, mode: 0o700 })
    if (user) chownSync(partial, user.uid, user.gid)
    try {
      this.#initialize(partial)
    } catch (error) {
      throw new Error(`The database could not be created in ${this.dir}: ${String(error.stderr ?? error.message).trim()}`)
    }
    renameSync(partial, this.dir)
  }

  #initialize(dir) {
    const name = this.programs.nameOf(dir)
    const text = '--encoding UTF8 --locale-provider builtin --locale C.UTF-8'.split(' ')

    this.programs.run('initdb', ['--pgdata', name, '--username', 'tocsin', '--auth', 'trust', ...text], dir, {
      stdio: ['ignore', 'ignore', 'pipe']
    })
    // Single-user mode needs neither a running server nor a client.
    this.programs.run('postgres', ['--single', '-D', name, 'postgres'], dir, {
      input: 'CREATE DATABASE tocsin\n',
      stdio: ['pipe', 'ignore', 'pipe']
    })
  }
}
