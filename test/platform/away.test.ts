import t from 'tap'
import { QueueUnavailable } from '#platform/problems.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { failure, makeInOrder, makeMany, makeOne, numberedItems, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

onBothBackends(t, 'a job waits for an unavailable dependency without using up an attempt', async (t, kind) => {
  const { queues, queue, begin, settled } = await openWorkshop(t, kind)
  const absences = [failure('ECONNREFUSED'), failure('57P01'), new QueueUnavailable()]
  const attempts: string[] = []

  await begin(async () => {
    const [job] = await queue.getActive()
    attempts.push(`try ${attempts.length + 1}, ${job!.attemptsMade} counted`)
    const absence = absences.shift()
    if (absence) throw absence
  })
  await queues.enqueue(makeOne, { n: 1 }, { attempts: 1 })
  await settled()

  t.same(attempts, ['try 1, 0 counted', 'try 2, 0 counted', 'try 3, 0 counted', 'try 4, 0 counted'])
  t.hasStrict(await queue.getJobCounts('completed', 'failed'), { completed: 1, failed: 0 })
})

onBothBackends(t, 'transactions that collide are retried', async (t, kind) => {
  const { queues, queue, begin, settled } = await openWorkshop(t, kind)
  const collisions = [failure('40001'), failure('40P01')]

  await begin(async () => {
    const collision = collisions.shift()
    if (collision) throw collision
  })
  await queues.enqueue(makeOne, { n: 1 }, { attempts: 1 })
  await settled()

  t.hasStrict(await queue.getJobCounts('completed', 'failed'), { completed: 1, failed: 0 })
})

onBothBackends(t, 'a batch is not split because its database is unavailable', async (t, kind) => {
  const { queues, begin, settled, counts } = await openWorkshop(t, kind)
  const sizes: number[] = []

  await begin(async items => {
    if (sizes.push(items.length) < 3) throw failure('ECONNREFUSED')
  })
  await queues.enqueueBatch(makeMany, 'work', numberedItems(10))
  await settled()

  t.same(sizes, [10, 10, 10])
  t.hasStrict(await counts(), { failed: 0 })
})

for (const [batch, count, contract, spec] of [
  ['a job', 1, makeMany, {}],
  ['a batch', 6, makeMany, {}],
  ['a batch of a shard', 6, makeInOrder, { shards: 1 }]
] as const) {
  onBothBackends(t, `a worker that waits with ${batch} closes, and another does the work`, async (t, kind) => {
    const { queues, begin, settled, counts } = await openWorkshop(t, kind, { queues: { work: spec } })
    const [name] = queues.namesOf('work')
    const made: number[][] = []
    let tries = 0

    await queues.enqueueBatch(contract, name!, numberedItems(count))
    await queues.enqueueBatch(contract, name!, numberedItems(count, count))
    const first = await begin(
      async () => {
        tries++
        throw failure('ECONNREFUSED')
      },
      { concurrency: 1 }
    )

    await eventually(() => tries > 1, 'it waits')
    // The database never comes back: a close that waited for it would not return.
    await first.close(300)

    t.hasStrict(await counts(), { waiting: 2, active: 0, failed: 0, delayed: 0 })

    await begin(async items => made.push(numbersOf(items)), { concurrency: 1 })
    await settled()

    t.same(made, [numbersOf(numberedItems(count)), numbersOf(numberedItems(count, count))], 'whole, and in their order')
  })
}
