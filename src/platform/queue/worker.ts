import { setTimeout as sleep } from 'node:timers/promises'
import { UnrecoverableError, WaitingError } from 'bullmq'
import type { Logger } from 'pino'
import type { Caches } from '../cache/caches.ts'
import type { EntityManager } from '../database/database.ts'
import type { Listener } from '../database/listener.ts'
import type { Mail } from '../mail/mailer.ts'
import type { WorkerMetrics } from '../observability/metrics.ts'
import type { Watchdog } from '../process/watchdog.ts'
import type { QueueJob, Worker } from './backend.ts'
import { InvalidPayload, type ItemOf, type JobContract } from './job.ts'
import { Attempt, isCutShort, mostStalls } from './job-attempt.ts'
import type { JobIsolation } from './job-isolation.ts'
import type { Queues } from './queues.ts'
import type { Receipts } from './receipts.ts'

/** What a handler may use. Everything it enqueues, it enqueues after its transaction. */
/** The settings that handlers read; the composition declares their type. */
// biome-ignore lint/suspicious/noEmptyInterface: it is extended where the settings are declared
export interface JobSettings {}

export interface JobContext {
  config: JobSettings
  em: EntityManager
  queues: Queues
  /** Where e-mail can be sent. */
  mail?: Mail
  /** What this process remembers from job to job. */
  caches: Caches
  /** Says what changed; what a process remembers from one job to the next hangs on it. */
  listener: Listener
  log: Logger
  /** Aborted when the process has to end: what can stop early, should. */
  signal: AbortSignal
  /** Answers the requests that wait for these items; to be called inside the transaction that stores them. */
  sendReceipt: (em: EntityManager, results: unknown[]) => Promise<void>
}

export interface Handler {
  contract: JobContract
  run: (items: unknown[], context: JobContext) => Promise<unknown>
  /** Told of items that are given up. */
  failed?: (items: unknown[], context: JobContext) => Promise<unknown>
}

/** Says who does the work of a contract. The items are checked by then, and the same ones may come again. */
export function handle<Contract extends JobContract>(
  contract: Contract,
  run: (items: ItemOf<Contract>[], context: JobContext) => Promise<unknown>,
  { failed }: { failed?: (items: ItemOf<Contract>[], context: JobContext) => Promise<unknown> } = {}
): Handler {
  return { contract: contract, run: run as Handler['run'], failed: failed as Handler['failed'] }
}

export interface WorkerParts {
  config: JobSettings
  em: () => EntityManager
  queues: Queues
  caches: Caches
  listener: Listener
  receipts: Receipts
  mail?: Mail
  log: Logger
  metrics: WorkerMetrics
  /** Shared by all queues that a process works. */
  isolation: JobIsolation
  /** Ends a process that no longer responds. */
  watchdog?: Watchdog
}

export interface WorkSettings {
  name: string
  concurrency: number
  /** A job whose worker is silent for this long is given to another. */
  lockMs?: number
}

/**
 * What a killed worker held is done again once its lock has run out and somebody has looked: after 10 s at most, as both
 * the lock is renewed and the others' are looked at three times within it. So a process may be busy, or its queue slow, for
 * 5 s before another takes its job for abandoned; and with queues in Postgres the machines' clocks may differ by as much.
 * Where that is not enough a job is worked twice, which its handler must bear anyway.
 */
const usualLockMs = 7500

/** How long what should take no time may take. */
const graceMs = 2000

/** Works the jobs of one queue until it is closed. */
export class QueueWorker {
  #parts: WorkerParts
  #handlers: Map<string, Handler>
  #queue: string
  #isOrdered: boolean
  #ending = new AbortController()
  #running = new Map<QueueJob, string | undefined>()
  readonly #workers: Worker[]

  constructor(queue: string, handlers: Handler[], parts: WorkerParts, settings: WorkSettings) {
    const { name, concurrency, lockMs = usualLockMs } = settings

    this.#parts = parts
    this.#queue = queue
    this.#handlers = new Map(handlers.map(handler => [handler.contract.name, handler]))
    this.#isOrdered = parts.queues.isOrdered(queue)
    this.#workers = parts.queues.namesOf(queue).map(own =>
      parts.queues.backend.worker(own, (job, token) => this.#process(job, token), {
        name,
        concurrency: this.#isOrdered ? 1 : concurrency,
        lockDuration: lockMs,
        lockRenewTime: Math.ceil(lockMs / 3),
        stalledInterval: Math.ceil(lockMs / 3),
        runRetryDelay: 1000,
        maxStalledCount: mostStalls,
        autorun: false
      })
    )
  }

  async start() {
    if (this.#isOrdered)
      await Promise.all(this.#parts.queues.namesOf(this.#queue).map(name => this.#parts.queues.get(name).setGlobalConcurrency(1)))

    await Promise.all(this.#workers.map(worker => worker.waitUntilReady()))
    for (const worker of this.#workers) {
      worker.run().catch(error => this.#parts.log.error({ err: error, queue: this.#queue }, 'the worker stopped working'))
    }
  }

  /** Takes nothing new, finishes what runs, and gives up on it when that takes too long. */
  async close(patienceMs: number) {
    const closing = Promise.all(this.#workers.map(worker => worker.close()))
    const isClosedWithin = (ms: number) => Promise.race([closing.then(() => true), sleep(ms, false, { ref: false })])

    if (await isClosedWithin(Math.min(patienceMs, graceMs))) return
    // With nothing at work there is nothing to be patient for, only a queue that does not answer.
    if (this.#running.size === 0) return this.#abandon()
    if (await isClosedWithin(Math.max(0, patienceMs - graceMs))) return
    this.#ending.abort()
    if (await isClosedWithin(graceMs)) return
    // What does not heed the signal is left behind; its jobs need not wait until their locks run out.
    const returning = Promise.all([...this.#running].map(([job, token]) => job.moveToWait(token).catch(() => {})))
    await Promise.race([returning, sleep(graceMs, undefined, { ref: false })])
    this.#abandon()
  }

  /** Nobody works here any more: what BullMQ does to keep its locks would only keep the process. */
  #abandon() {
    for (const worker of this.#workers) void Reflect.get(worker, 'lockManager')?.close()
  }

  async #process(job: QueueJob, token?: string) {
    const handler = this.#handlers.get(job.name)

    if (!handler) throw new Error(`This release has no handler for "${job.name}".`)
    const log = this.#parts.log.child({ queue: this.#queue, job: job.id })
    const endTimer = this.#parts.metrics.startJob(job.name)

    const release = this.#parts.watchdog?.watch({ queue: this.#queue, name: job.name, id: job.id!, projects: projectsOf(job) })

    this.#running.set(job, token)
    try {
      const result = await new Attempt(job, handler, log, this.#parts, this.#isOrdered, this.#ending.signal).make()

      endTimer('done')
      return result
    } catch (error) {
      if (isCutShort(error, this.#ending.signal)) await this.#putBack(job, token)
      endTimer('failed')
      log.warn({ err: error, attempt: job.attemptsMade + 1 }, 'a job failed')
      if (error instanceof InvalidPayload) throw Object.assign(new UnrecoverableError(error.message), { stack: error.stack })
      throw error
    } finally {
      release?.()
      this.#running.delete(job)
    }
  }

  async #putBack(job: QueueJob, token?: string): Promise<never> {
    await job.moveToWait(token)
    throw new WaitingError()
  }
}

function projectsOf({ data }: QueueJob) {
  const ids = data.items.map(item => (item as { projectId?: unknown } | null)?.projectId)

  return [...new Set(ids)].filter(id => typeof id === 'number')
}
