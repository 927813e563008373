import { execFileSync } from 'node:child_process'

/** Postgres refuses to run as root: root runs it as this user, created on first use. Other users run it as themselves. */
export function postgresUser(name = 'tocsin') {
  if (process.getuid?.() !== 0) return undefined

  return findUser(name) ?? createUser(name)
}

function findUser(name) {
  try {
    const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] })))
    return { uid, gid }
  } catch {
    return undefined
  }
}

function createUser(name) {
  try {
    execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name], { stdio: 'pipe' })
  } catch (error) {
    throw new Error(
      `Postgres does not run as root, and its user "${name}" could not be created ` +
        `(${String(error.stderr ?? error.message).trim()}). Create the user, start Tocsin as an ordinary user, or set DATABASE_URL.`
    )
  }

  return findUser(name)
}
