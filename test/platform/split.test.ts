import t from 'tap'
import { InvalidPayload } from '#platform/queue/job.ts'
import { onBothBackends } from '../support/world.ts'
import { type Item, makeMany, numberedItems, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

/** Makes whole batches or nothing, as a transaction does, and refuses some items. */
function aMaker(isRefused: (item: Item) => boolean, refusal = () => new Error('one of them is broken')) {
  const made: number[] = []
  const runs: number[] = []

  return {
    made,
    runs,
    run: async (items: Item[]) => {
      runs.push(items.length)
      if (items.some(isRefused)) throw refusal()
      made.push(...numbersOf(items))
    }
  }
}

onBothBackends(t, 'a batch that fails because of one item is split until only that item has failed', async (t, kind) => {
  const { queues, begin, failed, settled, counts } = await openWorkshop(t, kind)
  let isMended = false
  const { made, run } = aMaker(({ n }) => n === 7 && !isMended)

  await begin(run)
  await queues.enqueueBatch(makeMany, 'work', numberedItems(10))
  const [failedJob] = await failed()
  await settled()

  t.same(made.sort(), [0, 1, 2, 3, 4, 5, 6, 8, 9], 'all others are made, each once')
  t.hasStrict(await counts(), { failed: 1, completed: 0 })
  t.same(queues.itemsOf(failedJob!), [{ n: 7 }])
  t.equal(failedJob!.data.reason, 'one of them is broken')
  t.equal(failedJob!.failedReason, 'one of them is broken')

  isMended = true
  await failedJob!.retry()
  await settled()

  t.equal(made.filter(n => n === 7).length, 1)
  t.hasStrict(await counts(), { failed: 0, completed: 0 })
})

onBothBackends(t, 'each of several failing items fails alone', async (t, kind) => {
  const { queues, begin, failed, settled } = await openWorkshop(t, kind)
  const { made, run } = aMaker(({ n }) => n === 0 || n === 63 || n === 99)

  await begin(run)
  await queues.enqueueBatch(makeMany, 'work', numberedItems(100))
  const failedJobs = await failed(3)
  await settled()

  t.same(numbersOf(failedJobs.flatMap(job => queues.itemsOf(job) as Item[])).sort(), [0, 63, 99])
  t.equal(made.length, 97)
  t.equal(new Set(made).size, 97)
})

onBothBackends(t, 'an invalid item is quarantined before the others are processed', async (t, kind) => {
  const { queues, begin, failed, settled } = await openWorkshop(t, kind)
  const { made, runs, run } = aMaker(() => false)

  await begin(run)
  await queues.enqueueBatch(makeMany, 'work', [{ n: 1 }, { n: 'two' }, { n: 3 }])
  const [failedJob] = await failed()
  await settled()

  t.same(made, [1, 3])
  t.same(runs, [2])
  t.same(queues.itemsOf(failedJob!), [{ n: 'two' }])
  t.equal(failedJob!.data.reason, 'work.make-many: /n must be integer')
  t.equal(failedJob!.failedReason, 'work.make-many: /n must be integer')
})

onBothBackends(t, 'an item that the handler finds invalid is not retried', async (t, kind) => {
  const { queues, begin, failed, settled, counts } = await openWorkshop(t, kind)
  const { made, run } = aMaker(
    ({ n }) => n === 3,
    () => new InvalidPayload('there is no such project')
  )

  await begin(run)
  // An hour between tries: nothing here may need a second one.
  await queues.add('work', makeMany, numberedItems(4), { jobId: 'b-1-4-x', attempts: 5, backoff: 3_600_000, removeOnComplete: true })
  const [failedJob] = await failed()
  await settled()

  t.same(made, [0, 1, 2])
  t.same(queues.itemsOf(failedJob!), [{ n: 3 }])
  t.equal(failedJob!.data.reason, 'there is no such project')
  t.hasStrict(await counts(), { failed: 1, delayed: 0 })
})

onBothBackends(t, 'the same batch twice has one failed item', async (t, kind) => {
  const { queues, begin, failed, settled, counts } = await openWorkshop(t, kind)
  const { run } = aMaker(({ n }) => n === 1)

  await begin(run)
  const id = await queues.enqueueBatch(makeMany, 'work', numberedItems(3))
  await failed()
  await settled()
  await queues.enqueueBatch(makeMany, 'work', numberedItems(3), id)
  await settled()

  t.hasStrict(await counts(), { failed: 1 })
})

onBothBackends(t, 'a batch whose items all fail leaves each of them in the failed set', async (t, kind) => {
  const { queues, begin, failed, settled } = await openWorkshop(t, kind)
  const { run } = aMaker(() => true)

  await begin(run)
  await queues.enqueueBatch(makeMany, 'work', numberedItems(5))
  const failedJobs = await failed(5)
  await settled()

  t.same(numbersOf(failedJobs.flatMap(job => queues.itemsOf(job) as Item[])).sort(), [0, 1, 2, 3, 4])
})
