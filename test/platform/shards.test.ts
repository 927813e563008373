import t from 'tap'
import { eventually, onBothBackends } from '../support/world.ts'
import { type Item, makeInOrder, makeOneInOrder, numberedItems, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

const shards = { queues: { work: { shards: 2 } } }

/** Notes what is made, shard by shard, and whether two jobs of one shard ever ran at once. */
function anOrderlyMaker() {
  const made: number[][] = [[], []]
  const running = [0, 0]
  let overlaps = 0

  return {
    made,
    overlaps: () => overlaps,
    run: async (items: Item[], check = (_items: Item[]) => {}) => {
      const shard = items[0]!.n % 2
      if (++running[shard]! > 1) overlaps++
      await new Promise(resolve => setImmediate(resolve))
      try {
        check(items)
        made[shard]!.push(...numbersOf(items))
      } finally {
        running[shard]!--
      }
    }
  }
}

const evens = (count: number) => numberedItems(count).flatMap(({ n }) => (n % 2 ? [] : [n]))
const odds = (count: number) => numberedItems(count).flatMap(({ n }) => (n % 2 ? [n] : []))

onBothBackends(t, 'items of one shard are processed in order of arrival by any worker', async (t, kind) => {
  const { queues, begin } = await openWorkshop(t, kind, shards)
  const { made, run, overlaps } = anOrderlyMaker()

  for (let worker = 0; worker < 2; worker++) await begin(items => run(items), { concurrency: 4 })
  await queues.enqueueAll(makeOneInOrder, numberedItems(60))
  await eventually(() => made.flat().length >= 60, 'all are made')

  t.same(made, [evens(60), odds(60)])
  t.equal(overlaps(), 0)
  t.same(queues.names, ['work-0', 'work-1'])
})

onBothBackends(t, 'items of one shard stay in order when one of them is retried', async (t, kind) => {
  const { queues, begin } = await openWorkshop(t, kind, shards)
  const { made, run } = anOrderlyMaker()
  let failures = 0
  const stumble = (items: Item[]) => {
    if (items.some(({ n }) => n === 6) && failures++ === 0) throw new Error('not yet')
  }

  for (let worker = 0; worker < 2; worker++) await begin(items => run(items, stumble), { concurrency: 4 })
  await queues.enqueueAll(makeOneInOrder, numberedItems(30))
  await eventually(() => made.flat().length >= 30, 'all are made')

  t.equal(failures, 2)
  t.same(made, [evens(30), odds(30)])
})

onBothBackends(t, 'items of concurrent requests stay in order', async (t, kind) => {
  const { platform, begin } = await openWorkshop(t, kind, { ...shards, env: { BATCH_ITEMS: '7' } })
  const { made, run, overlaps } = anOrderlyMaker()

  for (let worker = 0; worker < 2; worker++) await begin(items => run(items), { concurrency: 4 })
  await Promise.all(numberedItems(200).map(item => platform.batches.add(makeInOrder, item)))
  await eventually(() => made.flat().length >= 200, 'all are made')

  t.same(made, [evens(200), odds(200)])
  t.equal(overlaps(), 0)
})

onBothBackends(t, 'an item that keeps failing does not block its shard', async (t, kind) => {
  const { queues, queue, begin, failed } = await openWorkshop(t, kind, shards)
  const { made, run } = anOrderlyMaker()

  await begin(items =>
    run(items, items => {
      if (items.some(({ n }) => n === 2)) throw new Error('it is broken')
    })
  )
  await queues.enqueueBatch(makeInOrder, queue.name, [{ n: 0 }, { n: 2 }, { n: 4 }])
  await queues.enqueueBatch(makeInOrder, queue.name, [{ n: 6 }, { n: 8 }])
  const [failedJob] = await failed()
  await eventually(() => made[0]!.length >= 4, 'the others are made')

  t.same(made[0], [0, 4, 6, 8])
  t.same(queues.itemsOf(failedJob!), [{ n: 2 }])
})
