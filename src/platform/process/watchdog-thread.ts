import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { readRunningJobs, type WatchdogData } from './watchdog.ts'

const { memory, limitMs, processName, isSilent } = workerData as WatchdogData
const beats = new Int32Array(memory, 0, 1)
const everyMs = Math.min(1000, limitMs / 4)
const stackMs = 3000

let silentMs = 0
let lastBeat = 0
let lastCheck = performance.now()

const timer = setInterval(check, everyMs)

function check() {
  const now = performance.now()
  const beat = Atomics.load(beats, 0)

  // Time in which this thread did not run does not count: a suspended machine stops both threads.
  silentMs = beat === lastBeat ? silentMs + Math.min(now - lastCheck, 2 * everyMs) : 0
  lastBeat = beat
  lastCheck = now
  if (silentMs >= limitMs) void end()
}

async function end() {
  clearInterval(timer)
  try {
    if (!isSilent) await report()
  } finally {
    // A blocked event loop runs no signal handler.
    process.kill(process.pid, 'SIGKILL')
  }
}

async function report() {
  const stack = await Promise.race([readStack().catch(() => undefined), sleep(stackMs, undefined)])
  const msg = `the event loop did not respond for ${limitMs / 1000} s; ending the process`
  const line = { level: 60, time: Date.now(), process: processName, jobs: readRunningJobs(memory), stack, msg }

  writeSync(2, `${JSON.stringify(line)}\n`)
}

/** The stack of the main thread. The inspector interrupts loops, but not every native function. */
async function readStack() {
  const { Session } = await import('node:inspector')
  const session = new Session()

  session.connectToMainThread()

  return new Promise<string[]>(resolve => {
    session.once('Debugger.paused', ({ params }) => {
      resolve(
        params.callFrames.map(({ functionName, url, location }) => `${functionName || '<anonymous>'} (${url}:${location.lineNumber + 1})`)
      )
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  })
}
