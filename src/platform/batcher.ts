import { type BatchedContract, batchId, flaw, type ItemOf } from './job.ts'
import { QueueFull, QueueUnavailable } from './problems.ts'
import type { Queues } from './queues.ts'
import type { Receipts } from './receipts.ts'

export interface BatchLimits {
  items: number
  bytes: number
  ms: number
  /** Most bytes held here that are not in the queue yet. */
  memory: number
}

interface Waiting {
  item: unknown
  bytes: number
  resolve: (receipt: unknown) => void
  reject: (error: unknown) => void
}

interface Sent {
  receipt?: Promise<unknown[] | undefined>
}

/** How many batches of one queue may be on their way at a time; the rest fill up meanwhile. */
const mostUnderWay = 2

/**
 * Where senders wait for the workers, so many batches keep these busy. What comes meanwhile had better fill one than
 * make many small ones, which cost as much each; but no longer than this, as nobody may be at work.
 */
const mostUnanswered = 2
const longestFillingMs = 50

/**
 * Puts requests that arrive together into one job. Each is answered when the job that holds it is
 * durably in the queue, or with the worker's receipt where its contract asks for one.
 */
export class Batcher {
  #queues: Queues
  #receipts: Receipts
  #limits: BatchLimits
  #lanes = new Map<string, Lane>()
  #held = 0
  onBatch: (queue: string, items: number) => void = () => {}

  constructor(queues: Queues, receipts: Receipts, limits: BatchLimits) {
    this.#queues = queues
    this.#receipts = receipts
    this.#limits = limits
  }

  async add<Contract extends BatchedContract>(contract: Contract, item: ItemOf<Contract>): Promise<unknown> {
    if (!contract.isBatched) throw new TypeError(`${contract.name} does not go in batches: it is for the queues.`)
    const problem = flaw(contract, item)

    if (problem) throw problem
    const bytes = contract.size(item)

    if (this.#held + bytes > this.#limits.memory) throw new QueueFull(contract.queue)
    if (!this.#queues.backend.isReady()) throw new QueueUnavailable()

    this.#held += bytes
    try {
      return await this.#lane(contract, this.#queues.nameFor(contract, item)).add(item, bytes)
    } finally {
      this.#held -= bytes
    }
  }

  #lane(contract: BatchedContract, name: string) {
    const key = `${contract.name} ${name}`
    let lane = this.#lanes.get(key)

    if (!lane) {
      const underWay = this.#queues.isOrdered(contract.queue) ? 1 : mostUnderWay

      lane = new Lane(this.#limits, underWay, (items: unknown[]) => this.#send(contract, name, items))
      this.#lanes.set(key, lane)
    }

    return lane
  }

  async #send(contract: BatchedContract, name: string, items: unknown[]): Promise<Sent> {
    const id = batchId(items.length)
    const receipt = contract.receiptWithin > 0 ? this.#receipts.expect(id, contract.receiptWithin) : undefined

    this.onBatch(name, items.length)
    await this.#queues.enqueueBatch(contract, name, items, id)

    return { receipt }
  }
}

/** The way of one contract into one queue: a batch that fills, and those that are on their way. */
class Lane {
  #limits: BatchLimits
  #most: number
  #send: (items: unknown[]) => Promise<Sent>
  #filling: Waiting[] = []
  #fillingBytes = 0
  #full: Waiting[][] = []
  #underWay = 0
  #unanswered = 0
  #isOverdue = false
  #timer?: NodeJS.Timeout

  constructor(limits: BatchLimits, most: number, send: (items: unknown[]) => Promise<Sent>) {
    this.#limits = limits
    this.#most = most
    this.#send = send
  }

  add(item: unknown, bytes: number) {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#filling.length > 0 && this.#fillingBytes + bytes > this.#limits.bytes) this.#close()

      this.#filling.push({ item, bytes, resolve, reject })
      this.#fillingBytes += bytes
      if (this.#isFull()) this.#close()
      else this.#timer ??= setTimeout(() => this.#timeIsUp(), this.#limits.ms)
    })
  }

  // A batch that cannot leave yet had better go on filling.
  #timeIsUp() {
    this.#timer = undefined
    if (this.#mayLeave()) this.#close()
    else if (this.#unanswered >= mostUnanswered) this.#timer = setTimeout(() => this.#isDue(), longestFillingMs)
  }

  #isDue() {
    this.#timer = undefined
    this.#isOverdue = true
    if (this.#mayLeave()) this.#close()
  }

  #isFull() {
    return this.#filling.length >= this.#limits.items || this.#fillingBytes >= this.#limits.bytes
  }

  #mayLeave() {
    return this.#underWay < this.#most && this.#full.length === 0 && (this.#unanswered < mostUnanswered || this.#isOverdue)
  }

  #close() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isOverdue = false
    this.#full.push(this.#filling)
    this.#filling = []
    this.#fillingBytes = 0
    this.#leave()
  }

  #leave() {
    while (this.#underWay < this.#most && this.#full.length > 0) void this.#travel(this.#full.shift()!)
  }

  async #travel(batch: Waiting[]) {
    this.#underWay++
    try {
      const { receipt } = await this.#send(batch.map(({ item }) => item))

      if (receipt) void this.#await(receipt, batch)
      else answer(batch, undefined)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#underWay--
      if (this.#filling.length > 0 && !this.#timer) this.#timeIsUp()
      this.#leave()
    }
  }

  async #await(receipt: Promise<unknown[] | undefined>, batch: Waiting[]) {
    this.#unanswered++
    answer(batch, await receipt)
    this.#unanswered--
    if (this.#filling.length > 0 && this.#mayLeave()) this.#close()
  }
}

function answer(batch: Waiting[], results: unknown[] | undefined) {
  for (const [n, { resolve }] of batch.entries()) resolve(results?.[n])
}
