import { Worker } from 'node:worker_threads'

/** Passed to the thread; both threads share the memory. */
export interface WatchdogData {
  memory: SharedArrayBuffer
  limitMs: number
  processName?: string
  isSilent: boolean
}

export interface RunningJob {
  queue: string
  name: string
  id: string
  projects: number[]
}

interface WatchdogOptions {
  seconds: number
  processName?: string
  isSilent?: boolean
}

const headBytes = 4
const slotBytes = 512
const slots = 256

/**
 * Kills the process when its event loop does not respond for `seconds`: a job that blocks it would otherwise occupy its
 * worker for ever, without renewing its lock. The thread logs the running jobs, which are recorded in shared memory.
 */
export class Watchdog {
  #memory = new SharedArrayBuffer(headBytes + slots * slotBytes)
  #beats = new Int32Array(this.#memory, 0, 1)
  #slots = Buffer.from(this.#memory, headBytes)
  #free = Array.from({ length: slots }, (_, slot) => slots - 1 - slot)
  #timer: NodeJS.Timeout
  #thread: Worker

  constructor({ seconds, processName, isSilent = false }: WatchdogOptions) {
    const limitMs = 1000 * seconds
    const workerData: WatchdogData = { memory: this.#memory, limitMs, processName, isSilent }

    this.#timer = setInterval(() => Atomics.add(this.#beats, 0, 1), Math.min(1000, limitMs / 4)).unref()
    this.#thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData })
    this.#thread.unref()
  }

  /** Records a running job until the returned function is called. */
  watch({ queue, name, id, projects }: RunningJob) {
    const slot = this.#free.pop()

    if (slot === undefined) return () => {}
    const at = slot * slotBytes
    const text = JSON.stringify({ queue, name, id: id.slice(0, 100), projects: projects.slice(0, 5) })

    this.#slots.writeUInt16LE(this.#slots.write(text, at + 2, slotBytes - 2), at)

    return () => {
      this.#slots.writeUInt16LE(0, at)
      this.#free.push(slot)
    }
  }

  async stop() {
    clearInterval(this.#timer)
    await this.#thread.terminate()
  }
}

/** The running jobs that are recorded in a watchdog's memory. */
export function readRunningJobs(memory: SharedArrayBuffer): RunningJob[] {
  const bytes = Buffer.from(memory, headBytes)
  const read = (_: unknown, slot: number) => {
    const at = slot * slotBytes
    const length = bytes.readUInt16LE(at)

    return length > 0 ? [JSON.parse(bytes.toString('utf8', at + 2, at + 2 + length))] : []
  }

  return Array.from({ length: slots }, read).flat()
}
