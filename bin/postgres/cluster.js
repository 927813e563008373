import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Throws when the cluster belongs to another major version of Postgres. */
export function hasCluster(dir) {
  const file = join(dir, 'PG_VERSION')

  if (!existsSync(file)) return false
  const version = readFileSync(file, 'utf8').trim()

  if (version === '18') return true
  throw new Error(
    `${dir} was created by Postgres ${version}, but this is Postgres 18. ` +
      'Make a backup with the previous release and restore it into a new DATA_DIR (docs/operations.md, "Upgrade").'
  )
}

export function createCluster(dir, programs) {
  const partial = `${dir}.partial`
  const { user } = programs

  // Renamed when complete: an interrupted initdb must not look like a cluster.
  for (const path of [partial, dir]) rmSync(path, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  if (user) chownSync(partial, user.uid, user.gid)
  try {
    initialize(partial, programs)
  } catch (error) {
    throw new Error(`The database could not be created in ${dir}: ${String(error.stderr ?? error.message).trim()}`)
  }
  renameSync(partial, dir)
}

function initialize(dir, programs) {
  const name = programs.nameOf(dir)
  const text = ['--encoding', 'UTF8', '--locale-provider', 'builtin', '--locale', 'C.UTF-8']

  programs.run('initdb', ['--pgdata', name, '--username', 'tocsin', '--auth', 'trust', ...text], dir)
  // Single-user mode needs neither a running server nor a client.
  programs.run('postgres', ['--single', '-D', name, 'postgres'], dir, 'CREATE DATABASE tocsin\n')
}
