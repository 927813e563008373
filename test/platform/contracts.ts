import Type, { type Static } from 'typebox'
import { type Handler, handle, type JobContext } from '#platform/queue/handler.ts'
import { defineJob } from '#platform/queue/job.ts'

const Item = Type.Object({ n: Type.Integer() })

export type Item = Static<typeof Item>

/** One item a job, tried three times. */
export const makeOne = defineJob({ name: 'work.make-one', queue: 'work', item: Item, attempts: 3 })
/** Many items a job, which comes apart at its first failure. */
export const makeMany = defineJob({ name: 'work.make-many', queue: 'work', item: Item, batched: true, attempts: 1 })
/** For queues whose shards keep the order of arrival: even and odd numbers do not wait for each other. */
export const makeInOrder = defineJob({
  name: 'work.make-in-order',
  queue: 'work',
  item: Item,
  batched: true,
  attempts: 1,
  shard: ({ n }) => n % 2
})
/** The same, one item a job. */
export const makeOneInOrder = defineJob({ name: 'work.make-one-in-order', queue: 'work', item: Item, attempts: 1, shard: ({ n }) => n % 2 })

export type Run = (items: Item[], context: JobContext) => Promise<unknown>

/** The same handler for every contract. */
export function handlersOf(run: Run): Handler[] {
  return [makeOne, makeMany, makeInOrder, makeOneInOrder].map(contract => handle(contract, run))
}

export function numberedItems(count: number, first = 0): Item[] {
  return Array.from({ length: count }, (_, n) => ({ n: first + n }))
}

export function numbersOf(items: Item[]) {
  return items.map(({ n }) => n)
}

/** A dependency's error, as its client throws it. */
export function failure(code: string) {
  return Object.assign(new Error(`failed with ${code}`), { code })
}
