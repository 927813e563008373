import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { countStalls } from '../observability/worker-stalls.ts'
import { isSerializationFailure, isUnavailable } from '../problems.ts'
import type { QueueJob } from './backends/backend.ts'
import { bisectBatch, type FailedItem } from './bisect-batch.ts'
import type { Handler, JobContext, WorkerDeps } from './handler.ts'
import { InvalidPayload, validationError } from './job.ts'

/** BullMQ's own limit, for jobs that stop a worker before their attempt begins. */
export const maxStalls = 20

export interface AttemptParts {
  job: QueueJob
  items: unknown[]
  handler: Handler
  log: Logger
  isOrdered: boolean
  signal: AbortSignal
}

/**
 * One attempt at a job. Invalid items, and after the last retry failing ones, leave the batch as failed jobs of their own.
 */
export class JobAttempt {
  #job: QueueJob
  #items: unknown[]
  #handler: Handler
  #log: Logger
  #deps: WorkerDeps
  #isOrdered: boolean
  #signal: AbortSignal

  constructor({ job, items, handler, log, isOrdered, signal }: AttemptParts, deps: WorkerDeps) {
    this.#job = job
    this.#items = items
    this.#handler = handler
    this.#log = log
    this.#deps = deps
    this.#isOrdered = isOrdered
    this.#signal = signal
  }

  async run() {
    const { data, stalledCounter } = this.#job
    const isStalled = stalledCounter > 0
    const isSuspect = isStalled && !this.#handler.contract.runsInChildProcesses

    if (isStalled) await this.#countStalls()
    // Stalls are saved with the isolation, so that the next attempt does not count them again.
    if (isStalled && !isSuspect) await this.#saveIsolation(false)
    if (data.isIsolated && stalledCounter > 1) return this.#quarantine()
    await this.#deps.isolation.run(isSuspect, () => (isSuspect ? this.#runIsolated() : this.#runBatch()))
  }

  /** Counted before the retry, which may stall at once. */
  async #countStalls() {
    const { queueName, stalledCounter, data } = this.#job
    const stalls = stalledCounter - (data.stalls ?? 0)

    if (stalls <= 0) return
    this.#log.error({ stalls: stalledCounter }, 'a worker stopped responding while it held this job')
    await this.#withRetries(() => countStalls(this.#deps.em(), queueName, this.#job.id!, stalls))
  }

  /** The job stopped two workers, the second one while nothing else ran. */
  async #quarantine() {
    const items = this.#items

    if (items.length > 1) return this.#moveToOwnJobs(items.map(item => ({ item, reason: 'its batch stopped two workers' })))
    await this.#notifyFailed(items[0])
    await this.#saveIsolation(false)
    throw new InvalidPayload('this item stopped two workers')
  }

  async #runIsolated() {
    await this.#saveIsolation(true)
    try {
      await this.#runBatch()
    } catch (error) {
      await this.#saveIsolation(false)
      throw error
    }
  }

  #saveIsolation(isIsolated: boolean) {
    return this.#withRetries(() => this.#job.updateData({ ...this.#job.data, isIsolated, stalls: this.#job.stalledCounter }))
  }

  async #runBatch() {
    const items = this.#items

    if (items.length === 1) return this.#runSingle(items[0])
    const { valid, failedItems } = this.#validate(items)

    try {
      if (valid.length > 0) await this.#handle(valid)
    } catch (error) {
      if (this.#willRetry(error)) throw error
      failedItems.push(...(await bisectBatch(valid, error, half => this.#handle(half), this.#isInterrupted)))
    }
    await this.#moveToOwnJobs(failedItems)
  }

  #validate(items: unknown[]) {
    const problems = items.map(item => validationError(this.#handler.contract, item))
    const failedItems: FailedItem[] = problems.flatMap((problem, n) => (problem ? { item: items[n], reason: problem.message } : []))

    return { valid: items.filter((_, n) => !problems[n]), failedItems }
  }

  async #runSingle(item: unknown) {
    const problem = validationError(this.#handler.contract, item)

    if (problem) throw problem
    try {
      await this.#handle([item])
    } catch (error) {
      if (!this.#willRetry(error)) await this.#notifyFailed(item)
      throw error
    }
  }

  async #notifyFailed(item: unknown) {
    await this.#withRetries(async () => this.#handler.failed?.([item], this.#context([item])))
  }

  #isInterrupted = (error: unknown) => isInterrupted(error, this.#signal)

  #willRetry(error: unknown) {
    if (this.#isInterrupted(error)) return true
    if (error instanceof InvalidPayload) return false
    if (this.#isOrdered) return false

    return this.#job.attemptsMade + 1 < (this.#job.opts.attempts ?? 1)
  }

  /** Each failed item becomes a failed job of its own, with its reason, which an admin can retry. */
  async #moveToOwnJobs(failedItems: FailedItem[]) {
    const { contract } = this.#handler

    for (const [n, { item, reason }] of failedItems.entries()) {
      const options = { jobId: `${this.#job.id}-${n}`, attempts: 1, removeOnComplete: true, priority: this.#job.opts.priority, reason }

      await this.#withRetries(() => this.#deps.queues.add(this.#job.queueName, contract, [item], options))
    }
  }

  #handle(items: unknown[]) {
    return this.#withRetries(() => this.#handler.run(items, this.#context(items)))
  }

  /** Waits while the database is away, without releasing the job, so that order is kept and no attempt is lost. */
  async #withRetries(run: () => Promise<unknown>) {
    let tries = 0

    for (let pause = 100; ; pause = Math.min(pause * 2, 5000)) {
      try {
        return await run()
      } catch (error) {
        const isRetryable =
          isUnavailable(error) ||
          (isSerializationFailure(error) && ++tries < 10) ||
          (this.#isOrdered && ++tries < 3 && !(error instanceof InvalidPayload))

        if (!isRetryable || this.#signal.aborted) throw error
        this.#log.warn({ err: error }, `retrying in ${pause} ms`)
        await sleep(pause * (0.5 + Math.random()), undefined, { signal: this.#signal }).catch(() => {})
      }
    }
  }

  #context(items: unknown[]): JobContext {
    return {
      config: this.#deps.config,
      em: this.#deps.em(),
      queues: this.#deps.queues,
      mail: this.#deps.mail,
      git: this.#deps.git,
      caches: this.#deps.caches,
      log: this.#log,
      metrics: this.#deps.metrics,
      signal: this.#signal,
      sendReceipt: async (em, results) => {
        // Requests wait for whole batches only.
        if (items.length === this.#items.length) await this.#deps.receipts.send(em, this.#job.id!, results)
      }
    }
  }
}

/** The job did not fail: it was interrupted because the process is shutting down. */
export function isInterrupted(error: unknown, signal: AbortSignal) {
  return signal.aborted && (isUnavailable(error) || (error instanceof Error && error.name === 'AbortError'))
}
