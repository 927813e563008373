import { hash, randomUUID } from 'node:crypto'
import type { JobsOptions } from 'bullmq'
import { QueueUnavailable } from '../problems.ts'
import type { Backend, Queue, QueueJob } from './backends/backend.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { type BatchedContract, batchId, type ItemOf, type JobContract, type SingleContract, validationError, weightOf } from './job.ts'
import type { JobCipher } from './job-cipher.ts'
import { scrubReason } from './stored-error.ts'

interface AddOptions extends JobsOptions {
  /** Why an item was moved out of its batch. */
  reason?: string
}

export interface QueueSpec {
  /** Each shard is a queue of its own that processes one job at a time, in order. */
  shards?: number
}

const day = 24 * 3600
/** Exponential backoff with jitter. */
export const backoff = { type: 'exponential', delay: 1000, jitter: 0.5 }
/** Failed jobs are kept for an admin to inspect and retry. */
const removeOnFail = { age: 30 * day }
/** Completed jobs are kept because their ids deduplicate. */
const removeOnComplete = { age: day, count: 1000 }

/** Items of one follow-up job. */
const maxFollowUps = 100

/** All queues of the installation. Every job is enqueued here. */
export class Queues {
  readonly backend: Backend
  #specs: Record<string, QueueSpec>
  #cipher: JobCipher
  #circuitBreaker: CircuitBreaker
  #open = new Map<string, Queue>()

  constructor(backend: Backend, specs: Record<string, QueueSpec>, cipher: JobCipher, timeoutMs: number) {
    this.backend = backend
    this.#specs = specs
    this.#cipher = cipher
    this.#circuitBreaker = new CircuitBreaker(timeoutMs)
  }

  /** Backend queue names: one for each queue, or for each of its shards. */
  get names() {
    return Object.keys(this.#specs).flatMap(queue => this.namesOf(queue))
  }

  namesOf(queue: string) {
    const shards = this.#specs[queue]?.shards

    return shards ? Array.from({ length: shards }, (_, n) => `${queue}-${n}`) : [queue]
  }

  has(queue: string) {
    return Object.hasOwn(this.#specs, queue)
  }

  /** The queue that a backend name belongs to. */
  queueOf(name: string) {
    return Object.keys(this.#specs).find(queue => this.namesOf(queue).includes(name)) ?? name
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

  /** Enqueues one item. Resolves once it is durable. */
  async enqueue<Contract extends SingleContract>(contract: Contract, item: ItemOf<Contract>, options: JobsOptions = {}) {
    await this.#enqueue(contract, item, options)
  }

  async enqueueAll<Contract extends SingleContract>(contract: Contract, items: ItemOf<Contract>[]) {
    for (const item of items) await this.#enqueue(contract, item)
  }

  /** Enqueues follow-ups of one cause in one job, on a queue without shards. The same items again are the same job. */
  async enqueueMany<Contract extends SingleContract>(contract: Contract, items: ItemOf<Contract>[]) {
    for (const item of items) validate(contract, item)
    for (let from = 0; from < items.length; from += maxFollowUps) {
      const part = items.slice(from, from + maxFollowUps)

      await this.add(contract.queue, contract, part, { jobId: jobIdOf(contract, part) })
    }
  }

  /** Enqueues a batch as one job. */
  async enqueueBatch(
    contract: BatchedContract,
    name: string,
    items: unknown[],
    id = batchId(weightOf(contract, items)),
    priority?: number
  ) {
    await this.add(name, contract, items, { jobId: id, removeOnComplete: true, priority })

    return id
  }

  /** The items of a job. Throws when they cannot be decrypted. */
  itemsOf(job: Pick<QueueJob, 'name' | 'id' | 'data'>, binary?: string) {
    return this.#cipher.open(job, binary)
  }

  async add(name: string, contract: JobContract, items: unknown[], { reason, ...options }: AddOptions) {
    if (!this.backend.isReady() || this.#circuitBreaker.isRefusing) throw new QueueUnavailable()
    const queue = this.get(name)
    const jobId = options.jobId ?? randomUUID()
    const data = {
      ...this.#cipher.seal(contract, jobId, items),
      ...(reason !== undefined && { reason: scrubReason(reason) })
    }
    const added = queue.add(contract.name, data, {
      attempts: contract.attempts,
      backoff,
      removeOnComplete,
      removeOnFail,
      ...options,
      jobId
    })

    await this.#circuitBreaker.untilAdded(queue, jobId, added)
  }

  async close() {
    this.#circuitBreaker.close()
    await Promise.all([...this.#open.values()].map(queue => queue.close().catch(() => {})))
    await this.backend.close()
  }

  async #enqueue(contract: SingleContract, item: unknown, options: JobsOptions = {}) {
    validate(contract, item)
    await this.add(this.nameFor(contract, item), contract, [item], {
      jobId: jobIdOf(contract, [item]),
      ...options
    })
  }
}

function validate(contract: SingleContract, item: unknown) {
  if (contract.isBatched) throw new TypeError(`${contract.name} is batched: add it through the Batcher.`)
  const problem = validationError(contract, item)

  if (problem) throw problem
}

/** Undefined without a key in the contract: the id is then random. */
function jobIdOf(contract: SingleContract, items: unknown[]) {
  const { key } = contract

  if (!key) return undefined
  const keys = items.map(item => key(item as never))

  return `${contract.name}-${keys.length === 1 ? keys[0] : hash('sha256', keys.join())}`.replaceAll(':', '-')
}
