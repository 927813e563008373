import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** What `initdb` makes in a directory: the files of one database server. */
export class PostgresCluster {
  constructor(dir, programs) {
    this.dir = dir
    this.programs = programs
  }

  /** False where there is none yet; throws when it is of another release of Postgres. */
  isThere() {
    const file = join(this.dir, 'PG_VERSION')

    if (!existsSync(file)) return false
    const version = readFileSync(file, 'utf8').trim()

    if (version === '18') return true
    throw new Error(
      `${this.dir} was made by Postgres ${version}, this is Postgres 18. ` +
        'Dump it with the former release and load it into a new DATA_DIR (docs/operations.md, "Upgrade").'
    )
  }

  make() {
    const making = `${this.dir}.making`
    const { user } = this.programs

    // Made under another name first: a cut-off initdb must not look like a cluster.
    rmSync(making, { recursive: true, force: true })
    rmSync(this.dir, { recursive: true, force: true })
    mkdirSync(making, { recursive: true, mode: 0o700 })
    if (user) chownSync(making, user.uid, user.gid)
    try {
      this.#fill(making)
    } catch (error) {
      throw new Error(`The database could not be made in ${this.dir}: ${String(error.stderr ?? error.message).trim()}`)
    }
    renameSync(making, this.dir)
  }

  #fill(dir) {
    const name = this.programs.nameOf(dir)
    const text = '--encoding UTF8 --locale-provider builtin --locale C.UTF-8'.split(' ')

    this.programs.run('initdb', ['--pgdata', name, '--username', 'tocsin', '--auth', 'trust', ...text], dir, {
      stdio: ['ignore', 'ignore', 'pipe']
    })
    // Single-user mode needs no running server and no client program.
    this.programs.run('postgres', ['--single', '-D', name, 'postgres'], dir, {
      input: 'CREATE DATABASE tocsin\n',
      stdio: ['pipe', 'ignore', 'pipe']
    })
  }
}
