import type { Test } from 'tap'
import type { QueueJob } from '#platform/queue/backends/backend.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { eventually, openWorld, type QueueKind, type WorldOptions } from '../support/world.ts'
import { handlersOf, type Item, makeMany, makeOne, numberedItems, numbersOf, type Run } from './contracts.ts'

export type Workshop = Awaited<ReturnType<typeof openWorkshop>>

/** A world with one queue, `work`, and a look at what is in it. */
export async function openWorkshop(t: Test, kind: QueueKind, options: WorldOptions = {}) {
  const world = await openWorld(t, { kind, queues: { work: {} }, ...options })
  const { queues } = world.platform
  const queue = queues.get(queues.names[0]!)
  const counts = () => queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed')
  const failed = (jobs = 1, patienceMs?: number) =>
    eventually(
      async () => {
        const found = await queue.getFailed()
        return found.length >= jobs && (found as QueueJob[])
      },
      `${jobs} failed`,
      patienceMs
    )

  return {
    ...world,
    queues,
    queue,
    counts,
    failed,
    /** Everything there is to do is done, or failed. */
    settled: () =>
      eventually(async () => {
        const { waiting, active, delayed } = await counts()
        return waiting === 0 && active === 0 && delayed === 0
      }, 'nothing is left to do'),
    /** Begins to work the queue, with the same handler for every contract. */
    begin: (run: Run, settings?: { concurrency?: number; lockMs?: number }) => world.work('work', handlersOf(run), settings)
  }
}

/** A worker that has a batch of three in hand, and finishes it when it is told to. */
export async function aBatchInHand({ queues, begin }: Pick<Workshop, 'queues' | 'begin'>) {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const made: number[] = []
  let isBegun = false

  await begin(
    async items => {
      isBegun = true
      await promise
      made.push(...numbersOf(items))
    },
    { lockMs: 1000 }
  )
  await queues.enqueueBatch(makeMany, 'work', numberedItems(3))
  await eventually(() => isBegun, 'it has begun')

  return { made, finish }
}

/** Asks again and again, as a client does that was told to come back. */
export function untilTaken(queues: Queues, item: Item) {
  return eventually(
    () =>
      queues.enqueue(makeOne, item).then(
        () => true,
        () => false
      ),
    'it is taken again'
  )
}
