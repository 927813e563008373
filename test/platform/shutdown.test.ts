import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { eventually, onBothBackends } from '../support/world.ts'
import { makeMany, makeOne, numberedItems, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

onBothBackends(t, 'a closing worker finishes its active job and takes no other', async (t, kind) => {
  const { queues, begin, counts, settled } = await openWorkshop(t, kind)
  const finish = Promise.withResolvers<void>()
  const made: number[] = []

  const worker = await begin(
    async ([item]) => {
      made.push(item!.n)
      await finish.promise
    },
    { concurrency: 1 }
  )
  await queues.enqueueAll(makeOne, numberedItems(2))
  await eventually(() => made.length === 1, 'it has begun')
  const closing = worker.close(20_000)
  finish.resolve()
  await closing

  t.same(made, [0])
  t.hasStrict(await counts(), { completed: 1, waiting: 1, active: 0 })

  await begin(async ([item]) => made.push(item!.n))
  await settled()
  t.same(made, [0, 1])
})

for (const count of [1, 5]) {
  onBothBackends(t, `a job of ${count}, told to stop, is given back and done by the next worker`, async (t, kind) => {
    const { queues, begin, counts, settled, queue } = await openWorkshop(t, kind)
    const items = numberedItems(count)
    let isBegun = false
    const made: number[] = []

    const id = await queues.enqueueBatch(makeMany, 'work', items)
    const worker = await begin(async (_items, { signal }) => {
      isBegun = true
      await sleep(60_000, undefined, { signal })
    })
    await eventually(() => isBegun, 'it has begun')
    await worker.close(100)

    t.hasStrict(await counts(), { waiting: 1, active: 0, failed: 0, delayed: 0 })
    t.equal((await queue.getJob(id))!.attemptsMade, 0)

    await begin(async items => made.push(...numbersOf(items)))
    await settled()
    t.same(made, numbersOf(items))
  })
}

onBothBackends(t, 'a worker closes although its handler never ends, and another worker does the job', async (t, kind) => {
  const { queues, begin, counts, settled } = await openWorkshop(t, kind)
  const never = Promise.withResolvers<void>()
  let isBegun = false
  const made: number[] = []

  const worker = await begin(async () => {
    isBegun = true
    await never.promise
  })
  await queues.enqueue(makeOne, { n: 1 })
  await eventually(() => isBegun, 'it has begun')
  await worker.close(100)

  t.hasStrict(await counts(), { waiting: 1, active: 0, failed: 0 })

  await begin(async items => made.push(...numbersOf(items)))
  await settled()
  t.same(made, [1])
  t.hasStrict(await counts(), { completed: 1, failed: 0 })
  never.resolve()
})
