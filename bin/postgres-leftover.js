import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** After a kill -9 the server of a directory may still run, or its lock file may name a process that is something else by now. */
export async function endLeftover(dir) {
  const lock = join(dir, 'postmaster.pid')

  if (!existsSync(lock)) return
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])

  // The lock of a dead server stays: Postgres looks there for sessions that outlived it, and clears up by itself.
  if (!isRunning(pid)) return
  if (!isServerOf(dir, pid)) {
    for (const file of [lock, join(dir, '.s.PGSQL.5432.lock')]) rmSync(file, { force: true })
    return
  }

  process.kill(pid, 'SIGINT')
  for (let waited = 0; isServerOf(dir, pid); waited += 20) {
    if (waited > 30_000) throw new Error(`The Postgres (process ${pid}) left behind in ${dir} does not stop; end it and start again.`)
    await sleep(20)
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Whether a process is the server of this directory, and not something else that has its number by now. */
function isServerOf(dir, pid) {
  if (!isPostgres(pid)) return false

  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dir)
  } catch {
    // Not everybody may look (root in a container may not): a Postgres of this number is taken for ours.
    return isPostgres(pid)
  }
}

/** Whether a Postgres runs under this number. One that is dead, and only waits for its parent to notice, does not. */
function isPostgres(pid) {
  try {
    if (process.platform === 'linux') return /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres')
  } catch {
    return false
  }
}
