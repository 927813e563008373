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
  /** The tenant of an item: on queues without shards, tenants take fair turns. */
  turn?(item: Static<Item>): number
  /** How much work an item is, as limits and turns count it; 1 unless declared. */
  weight(item: Static<Item>): number
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
  turn?: (item: Static<Item>) => number
  weight?: (item: Static<Item>) => number
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
  const { batched = false as Batched, size = jsonSize, weight = () => 1, receiptWithin = 0, attempts = 5, ...rest } = options

  return { ...rest, isBatched: batched, size, weight, receiptWithin, attempts, validator: Compile(rest.item) as unknown as Validator }
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

export function weightOf(contract: JobContract, items: unknown[]) {
  return items.reduce<number>((sum, item) => sum + contract.weight(item), 0)
}

/**
 * The id of a batch tells, without loading it, when it was made, its weight, its heaviest tenant and its round
 * (see turns.ts; both 0 where its contract has no turns). So the backlog is known from the queue alone, to every process.
 */
export function batchId(weight: number, at = Date.now(), turn = 0, round = 0) {
  return `b-${at}-${weight}-${turn}-${round}-${crypto.randomUUID().slice(0, 13)}`
}

/** Undefined for an item that was taken out of a batch: its id has a number appended. */
export function readBatchId(id: string) {
  const [, ...fields] = /^b-(\d+)-(\d+)-(\d+)-(\d+)-[0-9a-f]{8}-[0-9a-f]{4}$/.exec(id) ?? []

  if (fields.length === 0) return undefined
  const [at, weight, turn, round] = fields.map(Number) as [number, number, number, number]

  return { at, weight, turn, round }
}
