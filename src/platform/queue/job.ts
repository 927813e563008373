import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

/** What a producer and a worker agree on. Declared once, with `defineJob`, and checked at both ends. */
export interface JobContract<Item extends TSchema = TSchema, Batched extends boolean = boolean> {
  /** On the wire: `domain.verb`. */
  name: string
  queue: string
  item: Item
  /** Items that arrive together share one job, through the batcher; of the others each is a job, through the queues. */
  isBatched: Batched
  /** The same key twice is one job, as long as the first is remembered. */
  key?(item: Static<Item>): string
  /** Items of one shard are worked in their order of arrival, on queues that have shards. */
  shard?(item: Static<Item>): number
  /** About how many bytes an item takes; for those that go in batches. */
  size(item: Static<Item>): number
  /** How long the sender of a batched item waits for the worker's receipt, in ms; 0 when there is none. */
  receiptWithin: number
  attempts: number
  validator: Validator
}

export interface JobOptions<Item extends TSchema, Batched extends boolean> {
  name: string
  queue: string
  item: Item
  batched?: Batched
  key?: (item: Static<Item>) => string
  shard?: (item: Static<Item>) => number
  size?: (item: Static<Item>) => number
  receiptWithin?: number
  /** How often a job is tried before it counts as failed. */
  attempts?: number
}

export type BatchedContract = JobContract<TSchema, true>
export type SingleContract = JobContract<TSchema, false>
export type ItemOf<Contract> = Contract extends JobContract<infer Item> ? Static<Item> : never

/** What every job carries, whatever its contract. */
export interface JobData<Item = unknown> {
  items: Item[]
  /** Why an item was taken out of its batch to stand alone. */
  reason?: string
  /** Set while the job runs as a suspect: a worker that takes it up like this knows that the last one died of it. */
  isAlone?: boolean
  /** How many of the job's stalls are counted. */
  stalls?: number
}

export function defineJob<Item extends TSchema, Batched extends boolean = false>(
  options: JobOptions<Item, Batched>
): JobContract<Item, Batched> {
  const { batched = false as Batched, size = jsonSize, receiptWithin = 0, attempts = 5, ...rest } = options

  return { ...rest, isBatched: batched, size, receiptWithin, attempts, validator: Compile(rest.item) as unknown as Validator }
}

function jsonSize(item: unknown) {
  return JSON.stringify(item).length
}

/** The payload can never be worked, however often it is tried. */
export class InvalidPayload extends Error {
  override name = 'InvalidPayload'
}

/** Says what is wrong with an item, or nothing when it fits its contract. */
export function flaw(contract: JobContract, item: unknown) {
  if (contract.validator.Check(item)) return undefined

  const [first] = contract.validator.Errors(item)

  return new InvalidPayload(`${contract.name}: ${first?.instancePath || 'the item'} ${first?.message ?? 'does not fit'}`)
}

/** The id of a batch tells, without loading it, when its first item came and how many it holds. */
export function batchId(count: number, at = Date.now()) {
  return `b-${at}-${count}-${crypto.randomUUID().slice(0, 13)}`
}

/** Nothing for an item that was taken out of a batch: its id is the batch's with a number behind. */
export function readBatchId(id: string) {
  const [, at, count] = /^b-(\d+)-(\d+)-[0-9a-f]{8}-[0-9a-f]{4}$/.exec(id) ?? []

  return at && count ? { at: Number(at), count: Number(count) } : undefined
}
