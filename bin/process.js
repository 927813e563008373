import { readFileSync } from 'node:fs'

export function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Whether the process runs a script whose command line matches `script`; a stale pid may belong to another program. */
export function isRunningScript(pid, script) {
  if (!isRunning(pid)) return false
  if (process.platform !== 'linux') return true

  try {
    return script.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
  } catch {
    return false
  }
}

/** Blocks this thread. */
export function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Whether a spawned process has ended, or was never started. */
export function hasEnded({ pid, exitCode, signalCode }) {
  return pid === undefined || exitCode !== null || signalCode !== null
}
