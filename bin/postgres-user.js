import { execFileSync } from 'node:child_process'

/** Postgres refuses to run as root, so root makes a user for it; anybody else runs it as themselves. */
export function postgresUser(name = 'tocsin') {
  if (process.getuid?.() !== 0) return undefined

  return findUser(name) ?? makeUser(name)
}

function findUser(name) {
  try {
    const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] })))
    return { uid, gid }
  } catch {
    return undefined
  }
}

function makeUser(name) {
  try {
    execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name], { stdio: 'pipe' })
  } catch (error) {
    throw new Error(
      `Postgres does not run as root, and the user "${name}" for it could not be made ` +
        `(${String(error.stderr ?? error.message).trim()}). Make it by hand, start as an ordinary user, or set DATABASE_URL.`
    )
  }

  return findUser(name)
}
