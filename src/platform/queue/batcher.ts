import { QueueFull, QueueUnavailable } from '../problems.ts'
import type { Backlog } from './backlog/backlog.ts'
import { priorityOf } from './backlog/turns.ts'
import { type BatchedContract, batchId, type ItemOf, validationError, weightOf } from './job.ts'
import { type BatchLimits, Lane, type Sent } from './lane.ts'
import type { Queues } from './queues.ts'
import type { Receipts } from './receipts.ts'

/**
 * Puts items that arrive together into one job. `add` resolves once that job is durable, or with the worker's
 * receipt when the contract has one.
 */
export class Batcher {
  #queues: Queues
  #backlog: Backlog
  #receipts: Receipts
  #limits: BatchLimits
  #lanes = new Map<string, Lane>()
  #held = 0
  /** Called with each batch that is durable. */
  onBatch: (queue: string, items: number, weight: number) => void = () => {}

  constructor(queues: Queues, backlog: Backlog, receipts: Receipts, limits: BatchLimits) {
    this.#queues = queues
    this.#backlog = backlog
    this.#receipts = receipts
    this.#limits = limits
  }

  async add<Contract extends BatchedContract>(contract: Contract, item: ItemOf<Contract>): Promise<unknown> {
    if (!contract.isBatched) throw new TypeError(`${contract.name} is not batched: enqueue it through Queues.`)
    const problem = validationError(contract, item)

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

  /** Busy tenants get batches of their own; others share. */
  #laneOf(contract: BatchedContract, item: unknown) {
    const name = this.#queues.nameFor(contract, item)
    const tenant = contract.tenant?.(item)
    const busyTenant = tenant !== undefined && this.#backlog.isBusy(name, tenant) ? tenant : undefined
    const key = [contract.name, name, busyTenant].join(' ')
    const lane =
      this.#lanes.get(key) ??
      new Lane(
        this.#limits,
        items => this.#send(contract, name, items, busyTenant),
        () => this.#lanes.delete(key)
      )

    this.#lanes.set(key, lane)

    return lane
  }

  async #send(contract: BatchedContract, name: string, items: unknown[], busyTenant?: number): Promise<Sent> {
    const weight = weightOf(contract, items)
    const tenant = heaviestOf(contract, items)
    const round = tenant === undefined ? undefined : this.#backlog.roundOf(name, busyTenant)
    const id = batchId(weight, Date.now(), tenant, round)
    const receipt = contract.receiptWithin > 0 ? this.#receipts.expect(id, contract.receiptWithin) : undefined

    this.#backlog.added(name, weight, tenant)
    await this.#queues.enqueueBatch(contract, name, items, id, round && priorityOf(round))
    this.onBatch(contract.queue, items.length, weight)

    return { receipt }
  }
}

/** The tenant with the largest weight in a batch; the whole batch counts as its. */
function heaviestOf(contract: BatchedContract, items: unknown[]) {
  if (!contract.tenant) return undefined
  const weights = new Map<number, number>()
  let heaviest = contract.tenant(items[0])

  for (const item of items) {
    const tenant = contract.tenant(item)
    const weight = (weights.get(tenant) ?? 0) + contract.weight(item)

    weights.set(tenant, weight)
    if (weight > weights.get(heaviest)!) heaviest = tenant
  }

  return heaviest
}
