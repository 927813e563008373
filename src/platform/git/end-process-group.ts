import type { ChildProcess } from 'node:child_process'

/** Git ends by itself when its input ends early, and then deletes its temporary files; on a signal it does not (since 2.39). */
const graceMs = 2000
const killMs = 5000

/** Ends a process that leads a group, whose input is closed, and the processes that it started. */
export function endProcessGroup(child: ChildProcess) {
  const timers = [setTimeout(() => signal(child, 'SIGTERM'), graceMs), setTimeout(() => signal(child, 'SIGKILL'), graceMs + killMs)]

  // When the last process of the group has closed its pipes.
  child.once('close', () => {
    for (const timer of timers) clearTimeout(timer)
  })
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals) {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // They have ended.
  }
}
