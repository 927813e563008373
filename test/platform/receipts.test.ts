import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import Type from 'typebox'
import { query } from '#platform/database/database.ts'
import { handle, type JobContext } from '#platform/queue/handler.ts'
import { defineJob, InvalidPayload } from '#platform/queue/job.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { openWorkshop } from './workshop.ts'

const item = Type.Object({ n: Type.Integer() })
const answer = defineJob({ name: 'work.answer', queue: 'work', item, batched: true, attempts: 1, receiptWithin: 20_000 })
const answerSoon = defineJob({ ...answer, name: 'work.answer-soon', batched: true, receiptWithin: 300 })

/** Answers each item with a text of so many characters, in a transaction, as a use case does. */
function answering(characters = 0) {
  return async (items: { n: number }[], { em, sendReceipt }: JobContext) =>
    em.transactional(async em => {
      await query(em, 'SELECT 1')
      await sendReceipt(
        em,
        items.map(({ n }) => ({ n, text: 'é'.repeat(characters) }))
      )
    })
}

onBothBackends(t, 'each request gets the receipt of its own item', async (t, kind) => {
  const { platform, work } = await openWorkshop(t, kind, { env: { BATCH_MS: '50' } })

  await work('work', [handle(answer, answering())])
  const receipts = await Promise.all([1, 2, 3].map(n => platform.batches.add(answer, { n })))

  t.same(
    receipts,
    [1, 2, 3].map(n => ({ n, text: '' }))
  )
})

onBothBackends(t, 'a receipt too long for one notification arrives as well, and leaves nothing behind', async (t, kind) => {
  const { platform, work } = await openWorkshop(t, kind)

  await work('work', [handle(answer, answering(9000))])
  const receipt = await platform.batches.add(answer, { n: 1 })

  t.same(receipt, { n: 1, text: 'é'.repeat(9000) })
  t.same((await platform.pool.query('SELECT * FROM receipts')).rows, [])
})

onBothBackends(t, 'receipts around the longest notification all arrive', async (t, kind) => {
  const { platform, work } = await openWorkshop(t, kind, { env: { BATCH_ITEMS: '1' } })
  const sizes = [3890, 3920, 3940, 3960, 3980, 4000]

  await work('work', [handle(answer, async (items, context) => answering(items[0]!.n)(items, context))])
  const receipts = await Promise.all(sizes.map(n => platform.batches.add(answer, { n })))

  t.same(
    receipts.map(receipt => (receipt as { text: string }).text.length),
    sizes
  )
})

onBothBackends(t, 'without a worker there is no receipt, and the item is in the queue', async (t, kind) => {
  const { platform, counts } = await openWorkshop(t, kind)

  t.equal(await platform.batches.add(answerSoon, { n: 1 }), undefined)
  t.hasStrict(await counts(), { waiting: 1 })
})

onBothBackends(t, 'a receipt that arrives too late is ignored', async (t, kind) => {
  const { platform, work, settled, counts } = await openWorkshop(t, kind)

  t.equal(await platform.batches.add(answerSoon, { n: 1 }), undefined)
  await work('work', [handle(answerSoon, answering(9000)), handle(answer, answering())])
  await settled()

  t.same(await platform.batches.add(answer, { n: 2 }), { n: 2, text: '' })
  t.hasStrict(await counts(), { failed: 0 })
})

for (const size of [10, 9000]) {
  onBothBackends(t, `work that is rolled back sends no receipt (of ${size} characters)`, async (t, kind) => {
    const { platform, work, failed } = await openWorkshop(t, kind)
    let sent = 0

    await work('work', [
      handle(answer, async (items, context) =>
        context.em.transactional(async em => {
          await context.sendReceipt(em, [{ n: items[0]!.n, text: 'x'.repeat(size) }])
          sent++
          throw new InvalidPayload('there is no such project')
        })
      )
    ])
    const receipt = platform.batches.add(answer, { n: 1 })
    const [{ id } = {}] = await failed()
    // Notifications come in their order: had there been a first one, it would be here before the second.
    const other = platform.receipts.expect('another', 20_000)
    await platform.receipts.send(platform.fork(), 'another', ['sent later'])
    t.same(await other, ['sent later'])
    await platform.receipts.send(platform.fork(), id!, ['the one of this test'])

    t.equal(await receipt, 'the one of this test')
    t.ok(sent > 0)
    t.same((await platform.pool.query('SELECT * FROM receipts')).rows, [])
  })
}

onBothBackends(t, 'items are sent in few large batches while workers are busy, and also while none runs', async (t, kind) => {
  const { platform, work, queue } = await openWorkshop(t, kind, { env: { BATCH_MS: '0' } })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const sizes: number[] = []
  const adding: Promise<unknown>[] = []

  for (let n = 0; n < 12; n++) {
    adding.push(platform.batches.add(answer, { n }))
    await nextTurn()
  }
  await eventually(
    async () => (await queue.getWaiting()).flatMap(job => platform.queues.itemsOf(job)).length === 12,
    'all are in the queue without a worker'
  )
  await work('work', [
    handle(answer, async (items, context) => {
      sizes.push(items.length)
      await released
      await answering()(items, context)
    })
  ])
  release()
  await Promise.all(adding)
  t.ok(sizes.length < 12, `${sizes}`)
})
