import t from 'tap'
import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { onBothBackends } from '../support/world.ts'
import { type Item, makeInOrder, makeMany, makeOne, numberedItems, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

const patient = { BATCH_MS: '200' }
/** An item that says itself how large it is. */
const makeLarge = defineJob({
  name: 'work.make-large',
  queue: 'work',
  item: Type.Object({ n: Type.Integer(), bytes: Type.Integer() }),
  batched: true,
  size: ({ bytes }) => bytes
})

/** What waits, oldest first, as the numbers in each job. */
async function batchesIn(queues: Queues, name = 'work') {
  const jobs = await queues.get(name).getWaiting()

  return jobs.map(job => numbersOf(queues.itemsOf(job) as Item[])).sort(([a], [b]) => a! - b!)
}

onBothBackends(t, '100 items that arrive together share one job, in order', async (t, kind) => {
  const { platform, queues } = await openWorkshop(t, kind, { env: patient })

  const acknowledged: unknown[] = []

  platform.batches.onBatch = (queue, items) => acknowledged.push([queue, items])
  await Promise.all(numberedItems(200).map(item => platform.batches.add(makeMany, item)))

  t.same(await batchesIn(queues), [numbersOf(numberedItems(100)), numbersOf(numberedItems(100, 100))])
  t.same(acknowledged, [
    ['work', 100],
    ['work', 100]
  ])
})

onBothBackends(t, 'a partial batch is sent after its delay', async (t, kind) => {
  const { platform, queues } = await openWorkshop(t, kind, { env: { BATCH_MS: '100' } })
  const first = platform.batches.add(makeMany, { n: 1 })

  await new Promise(resolve => setImmediate(resolve))
  await Promise.all([first, platform.batches.add(makeMany, { n: 2 })])
  t.same(await batchesIn(queues), [[1, 2]])

  await platform.batches.add(makeMany, { n: 3 })
  t.same(await batchesIn(queues), [[1, 2], [3]])
})

onBothBackends(t, 'a batch has a limit of bytes, and a larger item gets its own batch', async (t, kind) => {
  const { platform, queues } = await openWorkshop(t, kind, { env: { ...patient, BATCH_BYTES: '1024' } })
  const sizes = [400, 400, 400, 5000, 500, 524, 1]

  await Promise.all(sizes.map((bytes, n) => platform.batches.add(makeLarge, { n, bytes })))

  t.same(await batchesIn(queues), [[0, 1], [2], [3], [4, 5], [6]])
})

onBothBackends(t, 'a batch has a limit of weight', async (t, kind) => {
  const { platform, queues } = await openWorkshop(t, kind, { env: patient })
  const makeHeavy = defineJob({ ...makeLarge, batched: true, weight: ({ bytes }) => bytes })

  await Promise.all([60, 50, 50, 100, 1].map((bytes, n) => platform.batches.add(makeHeavy, { n, bytes })))

  t.same(await batchesIn(queues), [[0], [1, 2], [3], [4]])
})

onBothBackends(t, 'a request is acknowledged once its item is in the queue', async (t, kind) => {
  const { platform, counts } = await openWorkshop(t, kind)
  let isAnswered = false
  const added = platform.batches.add(makeMany, { n: 1 }).then(() => {
    isAnswered = true
  })

  await Promise.resolve()
  t.notOk(isAnswered)
  await added
  t.hasStrict(await counts(), { waiting: 1 })
})

onBothBackends(t, 'items of different contracts do not share a job', async (t, kind) => {
  const { platform, queue } = await openWorkshop(t, kind, { env: { BATCH_MS: '50' } })

  await Promise.all([platform.batches.add(makeMany, { n: 1 }), platform.batches.add(makeLarge, { n: 2, bytes: 9 })])

  t.same((await queue.getWaiting()).map(({ name }) => name).sort(), [makeLarge.name, makeMany.name])
})

onBothBackends(t, 'an invalid item is refused, and the others of its batch are accepted', async (t, kind) => {
  const { platform, queues } = await openWorkshop(t, kind, { env: { BATCH_MS: '50' } })
  const outcomes = await Promise.allSettled([{ n: 1 }, { n: 'two' }, { n: 3 }].map(item => platform.batches.add(makeMany, item as Item)))

  t.same(outcomes.map(resultOf), ['fulfilled', 'InvalidPayload: work.make-many: /n must be integer', 'fulfilled'])
  t.same(await batchesIn(queues), [[1, 3]])
})

t.test('batched and unbatched contracts each have one way to enqueue', async t => {
  const { platform, counts } = await openWorkshop(t, 'postgres')

  // @ts-expect-error: the types say so as well.
  await t.rejects(platform.batches.add(makeOne, { n: 1 }), { name: 'TypeError', message: /^work\.make-one is not batched/ })
  // @ts-expect-error
  await t.rejects(platform.queues.enqueue(makeMany, { n: 1 }), { name: 'TypeError', message: /^work\.make-many is batched/ })
  // @ts-expect-error
  await t.rejects(platform.queues.enqueueAll(makeMany, [{ n: 1 }]), TypeError)
  t.hasStrict(await counts(), { waiting: 0 })
})

onBothBackends(t, 'items beyond the memory limit are refused until the others are in the queue', async (t, kind) => {
  const { platform, queues } = await openWorkshop(t, kind, { env: { BATCH_MEMORY: '1048576' } })
  const large = (n: number) => platform.batches.add(makeLarge, { n, bytes: 600_000 })
  const outcomes = await Promise.allSettled([large(1), large(2)])

  t.same(outcomes.map(resultOf), ['fulfilled', 'QueueFull: The queue "work" is full.'])
  await large(3)
  t.same(await batchesIn(queues), [[1], [3]])
})

onBothBackends(t, 'each shard has its own batches', async (t, kind) => {
  const { platform, queues } = await openWorkshop(t, kind, { queues: { work: { shards: 2 } }, env: { BATCH_MS: '50' } })

  await Promise.all(numberedItems(6).map(item => platform.batches.add(makeInOrder, item)))

  t.same(await batchesIn(queues, 'work-0'), [[0, 2, 4]])
  t.same(await batchesIn(queues, 'work-1'), [[1, 3, 5]])
})

function resultOf(outcome: PromiseSettledResult<unknown>) {
  return outcome.status === 'rejected' ? String(outcome.reason) : outcome.status
}
