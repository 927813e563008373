import { once } from 'node:events'
import t, { type Test } from 'tap'
import type { QueueSpec } from '#platform/queue/queues.ts'
import { startChild } from '../support/children.ts'
import { eventually, onBothBackends, type World } from '../support/world.ts'
import { makeInOrder, makeMany, makeOne, numberedItems, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

const lockMs = 1000

/** A worker in a process of its own, that has a job in hand. */
async function openWorkerAtWork(t: Test, world: World, ...args: string[]) {
  const worker = startChild(t, world, ['test/platform/fixtures/stuck-worker.ts', ...args])
  const died = once(worker, 'exit')
  const [held] = await Promise.race([once(worker, 'message'), died.then(() => Promise.reject(new Error('the worker ended by itself')))])

  return { worker, died, held: held as number[] }
}

async function killAWorkerAtWork(t: Test, world: World, spec: QueueSpec = {}) {
  const { worker, died, held } = await openWorkerAtWork(t, world, JSON.stringify(spec))

  worker.kill('SIGKILL')
  await died

  return held
}

onBothBackends(t, 'the active job of a killed worker is done once by another', async (t, kind) => {
  const { queues, begin, settled, counts, queue, ...world } = await openWorkshop(t, kind)
  const made: number[] = []

  await queues.enqueueBatch(makeMany, 'work', numberedItems(5))
  await queues.enqueueAll(makeOne, numberedItems(5, 5))
  t.same(await killAWorkerAtWork(t, world), [0, 1, 2, 3, 4])
  t.hasStrict(await counts(), { active: 1 })

  await begin(async items => made.push(...numbersOf(items)), { lockMs })
  await eventually(() => made.length >= 10, 'all are made')
  await settled()

  t.same(made.toSorted(), numbersOf(numberedItems(10)))
  t.hasStrict(await counts(), { failed: 0, completed: 5 })
})

onBothBackends(t, 'a shard resumes where its killed worker stopped', async (t, kind) => {
  const { queues, begin, settled, queue, ...world } = await openWorkshop(t, kind, { queues: { work: { shards: 1 } } })
  const made: number[] = []

  for (const first of [0, 3, 6]) await queues.enqueueBatch(makeInOrder, queue.name, numberedItems(3, first))
  t.same(await killAWorkerAtWork(t, world, { shards: 1 }), [0, 1, 2])

  await begin(async items => made.push(...numbersOf(items)), { lockMs })
  await eventually(() => made.length >= 9, 'all are made')
  await settled()

  t.same(made, numbersOf(numberedItems(9)))
})

onBothBackends(t, 'a batch that stopped two workers is split before a third runs it', async (t, kind) => {
  const { queues, begin, settled, counts, ...world } = await openWorkshop(t, kind)
  const sizes: number[] = []
  const made: number[] = []

  await queues.enqueueBatch(makeMany, 'work', numberedItems(4))
  for (let killed = 0; killed < 2; killed++) t.same(await killAWorkerAtWork(t, world), [0, 1, 2, 3])

  await begin(
    async items => {
      sizes.push(items.length)
      made.push(...numbersOf(items))
    },
    { lockMs }
  )
  await eventually(() => made.length >= 4, 'all are made')
  await settled()

  t.same(made.toSorted(), [0, 1, 2, 3])
  t.same(sizes, [1, 1, 1, 1])
  t.hasStrict(await counts(), { failed: 0 })
})

onBothBackends(t, 'a worker that blocks for a while is not considered stalled', async (t, kind) => {
  const { queues, begin, settled, counts, ...world } = await openWorkshop(t, kind)
  const made: number[] = []

  await queues.enqueueBatch(makeMany, 'work', numberedItems(2))
  t.same((await openWorkerAtWork(t, world, '{}', '3000')).held, [0, 1])
  await begin(async items => made.push(...numbersOf(items)))
  await queues.enqueue(makeOne, { n: 2 })
  await settled()

  t.same(made, [2])
  t.hasStrict(await counts(), { failed: 0, completed: 1 })
})
