import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { countStalls } from '../observability/worker-stalls.ts'
import { isAway, isCollision } from '../problems.ts'
import type { QueueJob } from './backend.ts'
import { flaw, InvalidPayload } from './job.ts'
import type { Handler, JobContext, WorkerParts } from './worker.ts'

/** A last resort, for jobs that bring a worker down before their attempt begins. */
export const mostStalls = 20

/** One try at a job: run it whole; when that fails for good, find the items that are at fault. */
export class Attempt {
  #job: QueueJob
  #handler: Handler
  #log: Logger
  #parts: WorkerParts
  #isOrdered: boolean
  #signal: AbortSignal
  #culprits: { item: unknown; reason: string }[] = []

  constructor(job: QueueJob, handler: Handler, log: Logger, parts: WorkerParts, isOrdered: boolean, signal: AbortSignal) {
    this.#job = job
    this.#handler = handler
    this.#log = log
    this.#parts = parts
    this.#isOrdered = isOrdered
    this.#signal = signal
  }

  async make() {
    const { data, stalledCounter } = this.#job
    const isSuspect = stalledCounter > 0

    if (isSuspect) await this.#countStalls()
    if (data.isAlone && stalledCounter > 1) return this.#quarantine()
    await this.#parts.isolation.run(isSuspect, () => (isSuspect ? this.#workAlone() : this.#work()))
  }

  /** By the worker that tries again, before it does: the one that noticed may stall on the same job at once. */
  async #countStalls() {
    const { queueName, stalledCounter, data } = this.#job
    const stalls = stalledCounter - (data.stalls ?? 0)

    if (stalls <= 0) return
    this.#log.error({ stalls: stalledCounter }, 'a worker stopped responding while it held this job')
    await this.#persist(() => countStalls(this.#parts.em(), queueName, this.#job.id!, stalls))
  }

  /** The job's worker died twice, the second time while nothing else ran that could have caused it. */
  async #quarantine() {
    const { items } = this.#job.data

    if (items.length > 1) return this.#setAside(items.map(item => ({ item, reason: 'its batch stopped two workers' })))
    await this.#giveUp(items[0])
    await this.#mark(false)
    throw new InvalidPayload('this item stopped two workers')
  }

  async #workAlone() {
    await this.#mark(true)
    try {
      await this.#work()
    } catch (error) {
      await this.#mark(false)
      throw error
    }
  }

  #mark(isAlone: boolean) {
    return this.#persist(() => this.#job.updateData({ ...this.#job.data, isAlone, stalls: this.#job.stalledCounter }))
  }

  async #work() {
    const { items } = this.#job.data

    if (items.length === 1) return this.#makeOne(items[0])
    const fitting = items.filter(item => {
      const problem = flaw(this.#handler.contract, item)
      if (problem) this.#culprits.push({ item, reason: problem.message })
      return !problem
    })

    try {
      if (fitting.length > 0) await this.#run(fitting)
    } catch (error) {
      if (this.#willRetry(error)) throw error
      await this.#isolate(fitting, error)
    }
    await this.#setAside(this.#culprits)
  }

  async #makeOne(item: unknown) {
    const problem = flaw(this.#handler.contract, item)

    if (problem) throw problem
    try {
      await this.#run([item])
    } catch (error) {
      if (!this.#willRetry(error)) await this.#giveUp(item)
      throw error
    }
  }

  async #giveUp(item: unknown) {
    await this.#persist(async () => this.#handler.failed?.([item], this.#context([item])))
  }

  #willRetry(error: unknown) {
    if (isCutShort(error, this.#signal)) return true
    if (error instanceof InvalidPayload) return false
    if (this.#isOrdered) return false

    return this.#job.attemptsMade + 1 < (this.#job.opts.attempts ?? 1)
  }

  /** Halves the items until those that fail stand alone; the others are done. */
  async #isolate(items: unknown[], error: unknown): Promise<void> {
    if (isCutShort(error, this.#signal)) throw error
    if (items.length === 1) {
      this.#culprits.push({ item: items[0], reason: (error as Error).message })
      return
    }

    const middle = Math.ceil(items.length / 2)

    for (const half of [items.slice(0, middle), items.slice(middle)]) {
      await this.#run(half).catch(error => this.#isolate(half, error))
    }
  }

  /** Gives each item a job of its own, which fails with its own reason and can be tried again by hand. */
  async #setAside(culprits: { item: unknown; reason: string }[]) {
    const { contract } = this.#handler

    for (const [n, { item, reason }] of culprits.entries()) {
      const options = { jobId: `${this.#job.id}-${n}`, attempts: 1, removeOnComplete: true, priority: this.#job.opts.priority }

      await this.#persist(() => this.#parts.queues.add(this.#job.queueName, contract, { items: [item], reason }, options))
    }
  }

  #run(items: unknown[]) {
    return this.#persist(() => this.#handler.run(items, this.#context(items)))
  }

  /** A database that is away is waited for with the job in hand: its order is kept, and nothing counts as failed. */
  async #persist(run: () => Promise<unknown>) {
    let tries = 0

    for (let pause = 100; ; pause = Math.min(pause * 2, 5000)) {
      try {
        return await run()
      } catch (error) {
        const mayHelp =
          isAway(error) || (isCollision(error) && ++tries < 10) || (this.#isOrdered && ++tries < 3 && !(error instanceof InvalidPayload))

        if (!mayHelp || this.#signal.aborted) throw error
        this.#log.warn({ err: error }, `trying again in ${pause} ms`)
        await sleep(pause * (0.5 + Math.random()), undefined, { signal: this.#signal }).catch(() => {})
      }
    }
  }

  #context(items: unknown[]): JobContext {
    return {
      config: this.#parts.config,
      em: this.#parts.em(),
      queues: this.#parts.queues,
      mail: this.#parts.mail,
      caches: this.#parts.caches,
      listener: this.#parts.listener,
      log: this.#log,
      signal: this.#signal,
      sendReceipt: async (em, results) => {
        // Only a whole batch has somebody waiting for it.
        if (items.length === this.#job.data.items.length) await this.#parts.receipts.send(em, this.#job.id!, results)
      }
    }
  }
}

/** The work was not wrong: the process has to end, and so it stopped, or no longer waits for what is away. */
export function isCutShort(error: unknown, signal: AbortSignal) {
  return signal.aborted && (isAway(error) || (error instanceof Error && error.name === 'AbortError'))
}
