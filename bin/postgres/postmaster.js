import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../process.js'

const timeoutMs = 30_000

/** Whether the server with this process id accepts connections. Its lock file has its start time in line 3 and its status in line 8. */
export function isReady(dir, pid, startedAt) {
  const [holder, , time, , , , , status = ''] = readLock(dir)

  // A dead server may have left a lock with the same process id.
  return Number(holder) === pid && Number(time) >= Math.floor(startedAt / 1000) - 1 && status.trim() === 'ready'
}

/** Stops the server that a killed launcher left running, or removes its lock files when their process id belongs to another program. */
export async function stopOrphan(dir) {
  const pid = Number(readLock(dir)[0])

  // Keep the lock of a dead server: Postgres checks it for sessions that are still running, then removes it.
  if (!pid || !isRunning(pid)) return
  if (!isServerOf(dir, pid)) {
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) rmSync(join(dir, name), { force: true })
    return
  }

  process.kill(pid, 'SIGINT')
  for (let waitedMs = 0; isServerOf(dir, pid); waitedMs += 20) {
    if (waitedMs > timeoutMs) throw new Error(`The orphaned Postgres (process ${pid}) in ${dir} does not stop. Stop it and start again.`)
    await sleep(20)
  }
}

function readLock(dir) {
  const file = join(dir, 'postmaster.pid')

  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
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
