import { hash } from 'node:crypto'
import type { JobsOptions } from 'bullmq'
import { QueueUnavailable } from '../problems.ts'
import type { Backend, Queue } from './backend.ts'
import { type BatchedContract, batchId, flaw, type ItemOf, type JobContract, type JobData, type SingleContract, weightOf } from './job.ts'

export interface QueueSpec {
  /** Items of one shard stay in order: each shard is a queue of its own that works one job at a time. */
  shards?: number
}

const day = 24 * 3600
/** Tries keep away from each other, and what failed together does not come back together. */
export const backoff = { type: 'exponential', delay: 1000, jitter: 0.5 }
/** A failed job is somebody's data: it is kept for as long as a person may need to look at it. */
const removeOnFail = { age: 30 * day }
/** A finished one is kept where its id must still drop a duplicate. */
const removeOnComplete = { age: day, count: 1000 }

/** Adds that may wait for an answer at a time, so that a queue that hangs does not fill the memory. */
const mostUnanswered = 256

/** Follow-ups in one job. */
const mostTogether = 100

/** Every queue of the installation, and the only way into them. */
export class Queues {
  readonly backend: Backend
  #specs: Record<string, QueueSpec>
  #timeoutMs: number
  #open = new Map<string, Queue>()
  #isSilent = false
  #unanswered = 0

  constructor(backend: Backend, specs: Record<string, QueueSpec>, timeoutMs: number) {
    this.backend = backend
    this.#specs = specs
    this.#timeoutMs = timeoutMs
  }

  /** The names as the backend knows them: one for each queue, or one for each shard of it. */
  get names() {
    return Object.keys(this.#specs).flatMap(queue => this.namesOf(queue))
  }

  namesOf(queue: string) {
    const shards = this.#specs[queue]?.shards

    return shards ? Array.from({ length: shards }, (_, n) => `${queue}-${n}`) : [queue]
  }

  isOrdered(queue: string) {
    return Boolean(this.#specs[queue]?.shards)
  }

  get(name: string) {
    let queue = this.#open.get(name)

    if (!queue) {
      queue = this.backend.queue(name)
      this.#open.set(name, queue)
    }

    return queue
  }

  nameFor(contract: JobContract, item: unknown) {
    const shards = this.#specs[contract.queue]?.shards

    return shards ? `${contract.queue}-${(contract.shard?.(item) ?? 0) % shards}` : contract.queue
  }

  /** Puts one item into its queue. Resolves once it is durably there. */
  async enqueue<Contract extends SingleContract>(contract: Contract, item: ItemOf<Contract>, options: JobsOptions = {}) {
    await this.#enqueue(contract, item, options)
  }

  async enqueueAll<Contract extends SingleContract>(contract: Contract, items: ItemOf<Contract>[]) {
    for (const item of items) await this.#enqueue(contract, item)
  }

  /** Puts follow-ups of one cause into one job (of a queue without shards). The same ones again are the same job, as with `enqueue`. */
  async enqueueTogether<Contract extends SingleContract>(contract: Contract, items: ItemOf<Contract>[]) {
    for (const item of items) check(contract, item)
    for (let from = 0; from < items.length; from += mostTogether) {
      const part = items.slice(from, from + mostTogether)

      await this.add(contract.queue, contract, { items: part }, { jobId: jobIdOf(contract, part) })
    }
  }

  /** Puts items that came together into one job. */
  async enqueueBatch(
    contract: BatchedContract,
    name: string,
    items: unknown[],
    id = batchId(weightOf(contract, items)),
    priority?: number
  ) {
    await this.add(name, contract, { items }, { jobId: id, removeOnComplete: true, priority })

    return id
  }

  async add(name: string, contract: JobContract, data: JobData, options: JobsOptions) {
    if (!this.backend.isReady() || this.#unanswered >= mostUnanswered) throw new QueueUnavailable()

    const added = this.get(name).add(contract.name, data, {
      attempts: contract.attempts,
      backoff,
      removeOnComplete,
      removeOnFail,
      ...options
    })

    await this.#inTime(added)
  }

  async close() {
    await Promise.all([...this.#open.values()].map(queue => queue.close().catch(() => {})))
    await this.backend.close()
  }

  async #enqueue(contract: SingleContract, item: unknown, options: JobsOptions = {}) {
    check(contract, item)
    await this.add(this.nameFor(contract, item), contract, { items: [item] }, { jobId: jobIdOf(contract, [item]), ...options })
  }

  /** A queue that does not answer costs the first request its patience, and the next ones none. */
  async #inTime(added: Promise<unknown>) {
    let timer: NodeJS.Timeout | undefined
    const answered = added
      .catch(error => {
        throw new QueueUnavailable(error)
      })
      .finally(() => {
        this.#unanswered--
        this.#isSilent = false
      })

    this.#unanswered++
    const patience = this.#isSilent ? 50 : this.#timeoutMs
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#isSilent = true
        reject(new QueueUnavailable(new Error(`no answer within ${patience} ms`)))
      }, patience)
    })

    try {
      await Promise.race([answered, silence])
    } finally {
      clearTimeout(timer)
      answered.catch(() => {})
    }
  }
}

function check(contract: SingleContract, item: unknown) {
  if (contract.isBatched) throw new TypeError(`${contract.name} goes in batches: it is for the batcher.`)
  const problem = flaw(contract, item)

  if (problem) throw problem
}

/** Undefined, for an id of BullMQ's own, where the contract has no key. */
function jobIdOf(contract: SingleContract, items: unknown[]) {
  const { key } = contract

  if (!key) return undefined
  const keys = items.map(item => key(item as never))

  return `${contract.name}-${keys.length === 1 ? keys[0] : hash('sha256', keys.join())}`.replaceAll(':', '-')
}
