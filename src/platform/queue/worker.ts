import { setTimeout as sleep } from 'node:timers/promises'
import { DelayedError, WaitingError } from 'bullmq'
import type { Logger } from 'pino'
import type { QueueJob, Worker } from './backends/backend.ts'
import type { Handler, WorkerDeps } from './handler.ts'
import { projectsOf, UnknownKey } from './job.ts'
import { isInterrupted, JobAttempt, maxStalls } from './job-attempt.ts'
import { storedError } from './stored-error.ts'

export interface WorkSettings {
  name: string
  concurrency: number
  /** After this long without a lock renewal, another worker takes the job. */
  lockMs?: number
}

/**
 * Locks are renewed, and stalled jobs looked for, three times within this period. So a killed worker's jobs are retried
 * after at most 10 s, and a worker may be blocked for 5 s (or, with queues in Postgres, clocks may differ by as much)
 * before a job runs twice, which every handler tolerates.
 */
const defaultLockMs = 7500

/** How long a job of another key waits for a process that has it. */
const unknownKeyMs = 60_000

/** Timeout of steps that are usually instant. */
const graceMs = 2000

/** Processes the jobs of one queue until it is closed. */
export class QueueWorker {
  #deps: WorkerDeps
  #handlers: Map<string, Handler>
  #queue: string
  #isOrdered: boolean
  #abort = new AbortController()
  #running = new Map<QueueJob, string | undefined>()
  readonly #workers: Worker[]

  constructor(queue: string, handlers: Handler[], deps: WorkerDeps, settings: WorkSettings) {
    const { name: workerName, concurrency, lockMs = defaultLockMs } = settings

    this.#deps = deps
    this.#queue = queue
    this.#handlers = new Map(handlers.map(handler => [handler.contract.name, handler]))
    this.#isOrdered = deps.queues.isOrdered(queue)
    this.#workers = deps.queues.namesOf(queue).map(name =>
      deps.queues.backend.worker(name, (job, token) => this.#process(job, token), {
        name: workerName,
        concurrency: this.#isOrdered ? 1 : concurrency,
        lockDuration: lockMs,
        lockRenewTime: Math.ceil(lockMs / 3),
        stalledInterval: Math.ceil(lockMs / 3),
        runRetryDelay: 1000,
        maxStalledCount: maxStalls,
        autorun: false
      })
    )
  }

  async start() {
    if (this.#isOrdered)
      await Promise.all(this.#deps.queues.namesOf(this.#queue).map(name => this.#deps.queues.get(name).setGlobalConcurrency(1)))

    await Promise.all(this.#workers.map(worker => worker.waitUntilReady()))
    for (const worker of this.#workers) {
      worker.run().catch(error => this.#deps.log.error({ err: error, queue: this.#queue }, 'the worker stopped'))
    }
  }

  /** Takes no new jobs, waits for running ones, then aborts them and returns them to the queue. */
  async close(timeoutMs: number) {
    const closing = Promise.all(this.#workers.map(worker => worker.close()))
    const closesWithin = (ms: number) => Promise.race([closing.then(() => true), sleep(ms, false, { ref: false })])

    if (await closesWithin(Math.min(timeoutMs, graceMs))) return
    // No job is running: only a queue that does not answer holds it up.
    if (this.#running.size === 0) return this.#stopRenewal()
    if (await closesWithin(Math.max(0, timeoutMs - graceMs))) return
    this.#abort.abort()
    if (await closesWithin(graceMs)) return
    // Jobs that ignore the signal go back to the queue now, not when their locks expire.
    const returned = Promise.all([...this.#running].map(([job, token]) => job.moveToWait(token).catch(() => {})))
    await Promise.race([returned, sleep(graceMs, undefined, { ref: false })])
    this.#stopRenewal()
  }

  /** Stops lock renewal, whose timers would keep the process alive. */
  #stopRenewal() {
    for (const worker of this.#workers) void Reflect.get(worker, 'lockManager')?.close()
  }

  async #process(job: QueueJob, token?: string) {
    const handler = this.#handlers.get(job.name)

    if (!handler) throw new Error(`This release has no handler for "${job.name}".`)
    const log = this.#deps.log.child({ queue: this.#queue, job: job.id })
    const endTimer = this.#deps.metrics.startJob(job.name)

    let release: (() => void) | undefined

    this.#running.set(job, token)
    try {
      const items = this.#deps.queues.itemsOf(job, handler.contract.binary)

      release = this.#deps.watchdog?.watch({ queue: this.#queue, name: job.name, id: job.id!, projects: projectsOf(items) })
      const attempt = { job, items, handler, log, isOrdered: this.#isOrdered, signal: this.#abort.signal }
      const result = await new JobAttempt(attempt, this.#deps).run()

      endTimer('done')
      return result
    } catch (error) {
      if (isInterrupted(error, this.#abort.signal)) await this.#returnToQueue(job, token)
      if (error instanceof UnknownKey) await this.#postpone(job, log, token)
      endTimer('failed')
      log.warn({ err: error, attempt: job.attemptsMade + 1 }, 'a job failed')
      throw storedError(error)
    } finally {
      release?.()
      this.#running.delete(job)
    }
  }

  /** Keeps the job and its attempts until the key is back. */
  async #postpone(job: QueueJob, log: Logger, token?: string): Promise<never> {
    log.error(`the job was encrypted with another SECRET_KEY; trying again in ${unknownKeyMs / 1000} s`)
    await job.moveToDelayed(Date.now() + unknownKeyMs, token)
    throw new DelayedError()
  }

  async #returnToQueue(job: QueueJob, token?: string): Promise<never> {
    await job.moveToWait(token)
    throw new WaitingError()
  }
}
