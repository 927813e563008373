import { QueueFull, QueueUnavailable } from '../problems.ts'
import type { Backlog } from './backlog.ts'
import { type BatchedContract, batchId, flaw, type ItemOf, weightOf } from './job.ts'
import { Lane, type Sent } from './lane.ts'
import type { Queues } from './queues.ts'
import type { Receipts } from './receipts.ts'
import { mostShared, priorityOf } from './turns.ts'

export interface BatchLimits {
  /** Most weight of a batch; 1 for each item unless its contract says otherwise. */
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
  #backlog: Backlog
  #receipts: Receipts
  #limits: BatchLimits
  #lanes = new Map<string, Lane>()
  #held = 0
  onBatch: (queue: string, items: number) => void = () => {}

  constructor(queues: Queues, backlog: Backlog, receipts: Receipts, limits: BatchLimits) {
    this.#queues = queues
    this.#backlog = backlog
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
      return await this.#laneOf(contract, item).add(item, bytes, contract.weight(item))
    } finally {
      this.#held -= bytes
    }
  }

  /** A tenant of which much waits has batches of its own; the others share theirs. */
  #laneOf(contract: BatchedContract, item: unknown) {
    const name = this.#queues.nameFor(contract, item)
    const turn = contract.turn?.(item)
    const isAlone = turn !== undefined && this.#backlog.waitingOf(name, turn) >= mostShared
    const key = isAlone ? `${contract.name} ${name} ${turn}` : `${contract.name} ${name}`
    const lane =
      this.#lanes.get(key) ??
      new Lane(
        this.#limits,
        items => this.#send(contract, name, items),
        () => this.#lanes.delete(key)
      )

    this.#lanes.set(key, lane)

    return lane
  }

  async #send(contract: BatchedContract, name: string, items: unknown[]): Promise<Sent> {
    const weight = weightOf(contract, items)
    const turn = heaviestOf(contract, items)
    const round = turn === undefined ? undefined : this.#backlog.roundOf(name, turn)
    const id = batchId(weight, Date.now(), turn, round)
    const receipt = contract.receiptWithin > 0 ? this.#receipts.expect(id, contract.receiptWithin) : undefined

    this.#backlog.added(name, weight, turn)
    this.onBatch(name, items.length)
    await this.#queues.enqueueBatch(contract, name, items, id, round && priorityOf(round))

    return { receipt }
  }
}

/** The tenant with most of a batch, for which all of it counts. */
function heaviestOf(contract: BatchedContract, items: unknown[]) {
  if (!contract.turn) return undefined
  const weights = new Map<number, number>()
  let heaviest = contract.turn(items[0])

  for (const item of items) {
    const turn = contract.turn(item)
    const weight = (weights.get(turn) ?? 0) + contract.weight(item)

    weights.set(turn, weight)
    if (weight > weights.get(heaviest)!) heaviest = turn
  }

  return heaviest
}
