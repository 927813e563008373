import Type, { type Static, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

/** The contract between producer and worker. Declared with `defineJob`; both sides validate items against it. */
export interface JobContract<Item extends TSchema = TSchema, Batched extends boolean = boolean> {
  /** On the wire: `domain.verb`. */
  name: string
  queue: string
  item: Item
  /** Batched items share jobs and go through the Batcher; others are jobs of their own. */
  isBatched: Batched
  /** The member of an item that is `Bytes`: stored as it is, because base64 within JSON costs CPU and a third more space. */
  binary?: string
  /** Deduplicates: items with the same key are one job, while the first is retained. */
  key?(item: Static<Item>): string
  /** Items of one shard are processed in order, on queues with shards. */
  shard?(item: Static<Item>): number
  /** The tenant of an item: on queues without shards, tenants take fair turns. */
  tenant?(item: Static<Item>): number
  /** The number of events in an item, for limits and turns; 1 by default. */
  weight(item: Static<Item>): number
  /** Approximate bytes of a batched item. */
  size(item: Static<Item>): number
  /** How long the sender of a batched item waits for a receipt, in ms; 0 for none. */
  receiptWithin: number
  attempts: number
  /** Child processes do its work, so it cannot block a worker: after a stall it is neither isolated nor quarantined. */
  runsInChildProcesses?: boolean
  validator: Validator
}

export interface JobOptions<Item extends TSchema, Batched extends boolean> {
  name: string
  queue: string
  item: Item
  batched?: Batched
  binary?: string
  key?: (item: Static<Item>) => string
  shard?: (item: Static<Item>) => number
  tenant?: (item: Static<Item>) => number
  weight?: (item: Static<Item>) => number
  size?: (item: Static<Item>) => number
  receiptWithin?: number
  /** Attempts before a job counts as failed. */
  attempts?: number
  runsInChildProcesses?: boolean
}

export type BatchedContract = JobContract<TSchema, true>
export type SingleContract = JobContract<TSchema, false>
export type ItemOf<Contract> = Contract extends JobContract<infer Item> ? Static<Item> : never

/** A binary member of an item. */
export const Bytes = Type.Refine(Type.Unsafe<Buffer>({}), Buffer.isBuffer)

/** A job as it is stored. */
export interface JobData {
  /** The encrypted items (see job-cipher.ts). */
  sealed?: string
  /** The number and the projects of the items, for admins. */
  count?: number
  projects?: number[]
  /** Plain items: of recurring jobs, and of jobs that an earlier release enqueued. */
  items?: unknown[]
  /** Why this item was moved out of its batch. */
  reason?: string
  /** Set while the job runs alone in its worker. A worker that finds it set knows that this job stopped the last worker. */
  isIsolated?: boolean
  /** Stalls of this job that are already counted. */
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

/** The payload is invalid; retrying cannot help. */
export class InvalidPayload extends Error {
  override name = 'InvalidPayload'
}

/** The job was encrypted with another SECRET_KEY, which another process may have. */
export class UnknownKey extends Error {
  override name = 'UnknownKey'
}

/** The first violation of the contract, if any. */
export function validationError(contract: JobContract, item: unknown) {
  if (contract.validator.Check(item)) return undefined

  const [first] = contract.validator.Errors(item)

  return new InvalidPayload(`${contract.name}: ${first?.instancePath || 'the item'} ${first?.message ?? 'does not fit'}`)
}

export function weightOf(contract: JobContract, items: unknown[]) {
  return items.reduce<number>((sum, item) => sum + contract.weight(item), 0)
}

/**
 * The id of a batch contains its time, weight, heaviest tenant and round (see turns.ts; both 0 without turns), so that
 * every process can measure the backlog from ids alone.
 */
export function batchId(weight: number, at = Date.now(), tenant = 0, round = 0) {
  return `b-${at}-${weight}-${tenant}-${round}-${crypto.randomUUID().slice(0, 13)}`
}

/** Undefined for an item that was moved out of a batch, whose id has a number appended. */
export function readBatchId(id: string) {
  const [, ...fields] = /^b-(\d+)-(\d+)-(\d+)-(\d+)-[0-9a-f]{8}-[0-9a-f]{4}$/.exec(id) ?? []

  if (fields.length === 0) return undefined
  const [at, weight, tenant, round] = fields.map(Number) as [number, number, number, number]

  return { at, weight, tenant, round }
}

/** The ids of the projects that the items belong to. */
export function projectsOf(items: unknown[]) {
  const ids = items.map(item => (item as { projectId?: unknown } | null)?.projectId)

  return [...new Set(ids)].filter(id => typeof id === 'number')
}
