import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../process.js'

const timeoutMs = 30_000

/**
 * Stops the server that a killed launcher left running in a data directory, or removes its lock files when
 * their process id belongs to another program.
 */
export async function stopOrphan(dir) {
  const lock = join(dir, 'postmaster.pid')

  if (!existsSync(lock)) return
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])

  // Keep the lock of a dead server: Postgres checks it for sessions that are still running, then removes it.
  if (!isRunning(pid)) return
  if (!isServerOf(dir, pid)) {
    for (const file of [lock, join(dir, '.s.PGSQL.5432.lock')]) rmSync(file, { force: true })
    return
  }

  process.kill(pid, 'SIGINT')
  for (let waitedMs = 0; isServerOf(dir, pid); waitedMs += 20) {
    if (waitedMs > timeoutMs) throw new Error(`The orphaned Postgres (process ${pid}) in ${dir} does not stop. Stop it and start again.`)
    await sleep(20)
  }
}

/** Whether the process is the server of this directory; its id may have been reused. */
function isServerOf(dir, pid) {
  if (!isPostgres(pid)) return false

  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dir)
  } catch {
    // Root in a container may lack the permission: assume that a Postgres with this id is ours.
    return isPostgres(pid)
  }
}

/** False for a zombie, too: its parent has not read its exit status yet. */
function isPostgres(pid) {
  try {
    if (process.platform === 'linux') return /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres')
  } catch {
    return false
  }
}
