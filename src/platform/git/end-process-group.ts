import type { ChildProcess } from 'node:child_process'

const graceMs = 5000

/** Ends a process that leads a group, and the processes that it started. Git deletes its locks and temporary files on SIGTERM. */
export function endProcessGroup(child: ChildProcess) {
  if (!isRunning(child)) return
  signal(child, 'SIGTERM')
  const timer = setTimeout(() => signal(child, 'SIGKILL'), graceMs).unref()

  child.once('exit', () => clearTimeout(timer))
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess) {
  return pid !== undefined && exitCode === null && signalCode === null
}

function signal(child: ChildProcess, name: NodeJS.Signals) {
  try {
    process.kill(-child.pid!, name)
  } catch {
    // It has ended.
  }
}
