import t from 'tap'
import { InvalidPayload } from '#platform/queue/job.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { makeMany, makeOne, numberedItems } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

const soon = { attempts: 2, backoff: { type: 'fixed', delay: 10 } }

onBothBackends(t, 'a failed job is retried with exponential backoff', async (t, kind) => {
  const { queues, queue, begin, settled, counts } = await openWorkshop(t, kind)
  let tries = 0

  await begin(async () => {
    if (++tries < 3) throw new Error('not yet')
  })
  await queues.enqueue(makeOne, { n: 1 })
  const job = await eventually(async () => (await queue.getDelayed())[0], 'it waits for its next try')
  await settled()

  t.hasStrict(job.opts, { attempts: 3, backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } })
  t.ok(job.delay >= 500 && job.delay <= 2000, `the retry is delayed by ${job.delay} ms`)
  t.equal(tries, 3)
  t.hasStrict(await counts(), { completed: 1, failed: 0 })
})

onBothBackends(t, 'an unprocessable job is not retried', async (t, kind) => {
  const { queues, begin, failed } = await openWorkshop(t, kind)

  await begin(async () => {
    throw new InvalidPayload('there is no such project')
  })
  await queues.enqueue(makeOne, { n: 1 }, { attempts: 5, backoff: 60_000 })
  const [job] = await failed()

  t.equal(job!.attemptsMade, 1)
  t.equal(job!.failedReason, 'there is no such project')
})

onBothBackends(t, 'a failed job keeps its reason and can be retried manually', async (t, kind) => {
  const { queues, begin, failed, settled, counts } = await openWorkshop(t, kind)
  let isMended = false
  let tries = 0

  await begin(async () => {
    tries++
    if (!isMended) throw new Error('it is broken')
  })
  await queues.enqueue(makeOne, { n: 1 }, soon)
  const [job] = await failed()

  t.equal(job!.failedReason, 'it is broken')
  t.equal(job!.attemptsMade, 2)
  t.equal(tries, 2)

  isMended = true
  await job!.retry()
  await settled()

  t.equal(tries, 3)
  t.hasStrict(await counts(), { completed: 1, failed: 0 })
})

onBothBackends(t, 'a batch is retried whole before it is split', async (t, kind) => {
  const { queues, begin, settled, counts } = await openWorkshop(t, kind)
  const tries: number[] = []

  await begin(async items => {
    if (tries.push(items.length) === 1) throw new Error('not yet')
  })
  await queues.enqueueBatch({ ...makeMany, attempts: 2 }, 'work', numberedItems(5))
  await settled()

  t.hasStrict(await counts(), { failed: 0 })
  t.equal(tries[0], 5)
})
