import t from 'tap'
import Type from 'typebox'
import { handle } from '#platform/queue/handler.ts'
import { defineJob } from '#platform/queue/job.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { makeMany, makeOne, numberedItems, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

onBothBackends(t, 'an enqueued item is processed once', async (t, kind) => {
  const { queues, begin, settled, counts } = await openWorkshop(t, kind)
  const made: number[] = []

  await queues.enqueue(makeOne, { n: 1 })
  await begin(async items => made.push(...numbersOf(items)))
  await queues.enqueueAll(makeOne, [{ n: 2 }, { n: 3 }])
  await eventually(() => made.length >= 3, 'all are made')
  await settled()

  t.same(made.sort(), [1, 2, 3])
  t.hasStrict(await counts(), { completed: 3, failed: 0 })
})

onBothBackends(t, 'an item that violates its contract is refused with the reason', async (t, kind) => {
  const { queues, counts } = await openWorkshop(t, kind)

  await t.rejects(queues.enqueue(makeOne, { n: 'one' } as never), { name: 'InvalidPayload', message: 'work.make-one: /n must be integer' })
  await t.rejects(queues.enqueue(makeOne, {} as never), { name: 'InvalidPayload', message: /^work\.make-one: the item .*\bn\b/ })
  t.hasStrict(await counts(), { waiting: 0 })
})

onBothBackends(t, 'an invalid item in the queue fails at once with the reason', async (t, kind) => {
  const { queue, begin, failed } = await openWorkshop(t, kind)

  await begin(async () => t.fail('it was given to the handler'))
  await queue.add(makeOne.name, { items: [{ n: 'one' }] }, { attempts: 5, backoff: 60_000 })
  const [job] = await failed()

  t.equal(job!.attemptsMade, 1)
  t.equal(job!.failedReason, 'work.make-one: /n must be integer')
})

onBothBackends(t, 'a job of an unknown name fails with that reason', async (t, kind) => {
  const { queue, begin, failed } = await openWorkshop(t, kind)

  await begin(async () => {})
  await queue.add('work.unheard-of', { items: [] }, { attempts: 1 })

  t.equal((await failed())[0]!.failedReason, 'This release has no handler for "work.unheard-of".')
})

onBothBackends(t, 'two items with the same key are one job, before and after it is processed', async (t, kind) => {
  const { queues, work, settled, counts } = await openWorkshop(t, kind)
  const greet = defineJob({ name: 'work.greet', queue: 'work', item: Type.Object({ who: Type.String() }), key: ({ who }) => who })
  const received: string[] = []

  await queues.enqueue(greet, { who: 'group:1' })
  await queues.enqueue(greet, { who: 'group:1' })
  await queues.enqueue(greet, { who: 'group:2' })
  t.hasStrict(await counts(), { waiting: 2 })

  await work('work', [handle(greet, async items => received.push(...items.map(({ who }) => who)))])
  await settled()
  await queues.enqueue(greet, { who: 'group:1' })
  await settled()

  t.same(received.sort(), ['group:1', 'group:2'])
})

onBothBackends(t, 'the last 1,000 completed jobs are kept, and no completed batches', async (t, kind) => {
  const { queues, begin, settled, counts, queue } = await openWorkshop(t, kind)
  const hundreds = Array.from({ length: 11 }, (_, n) => numberedItems(100, n * 100))

  for (const items of hundreds) {
    await Promise.all(items.map(item => queues.enqueue(makeOne, item)))
    await queues.enqueueBatch(makeMany, 'work', items)
  }
  await begin(async () => {}, { concurrency: 8 })
  await settled()

  const { completed, failed } = await counts()

  t.equal(failed, 0)
  t.ok(completed! >= 1000)
  t.ok(completed! < 1000 + 8, 'except for those that finished at the same moment')
  t.notOk((await queue.getCompleted()).some(({ name }) => name === makeMany.name))
})

onBothBackends(t, 'text that Postgres cannot store passes through the queue unchanged', async (t, kind) => {
  const { platform, work, settled, counts } = await openWorkshop(t, kind, { env: { BATCH_MS: '50' } })
  const store = defineJob({ name: 'work.store', queue: 'work', item: Type.Record(Type.String(), Type.String()), batched: true })
  const said: string[] = []
  const items: Record<string, string>[] = [{ plain: 'text' }, { nul: 'a\0b' }, { half: 'a\ud83d' }, { 'key\0': '😀' }]

  await Promise.all(items.map(item => platform.batches.add(store, item)))
  await work('work', [handle(store, async items => said.push(...items.flatMap(item => Object.entries(item).flat())))])
  await settled()

  t.same(said, ['plain', 'text', 'nul', 'a\0b', 'half', 'a\ud83d', 'key\0', '😀'])
  t.hasStrict(await counts(), { failed: 0 })
})
