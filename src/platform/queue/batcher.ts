import { QueueFull, QueueUnavailable } from '../problems.ts'
import { type BatchedContract, batchId, flaw, type ItemOf } from './job.ts'
import { Lane, type Sent } from './lane.ts'
import type { Queues } from './queues.ts'
import type { Receipts } from './receipts.ts'

export interface BatchLimits {
  items: number
  bytes: number
  ms: number
  /** Most bytes held here that are not in the queue yet. */
  memory: number
}

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
      lane = new Lane(this.#limits, this.#queues.isOrdered(contract.queue), items => this.#send(contract, name, items))
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
