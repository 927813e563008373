import { once } from 'node:events'
import t, { type Test } from 'tap'
import { startChild } from '../support/children.ts'
import { eventually } from '../support/world.ts'
import { makeMany, makeOne, numberedItems, numbersOf } from './contracts.ts'
import { openRedis, redisProgram } from './redis.ts'
import { aBatchInHand, openWorkshop, untilTaken } from './workshop.ts'

const options = { skip: redisProgram ? false : 'neither redis-server nor valkey-server is on the PATH' }

async function openWorkshopOnARedis(t: Test, env: Record<string, string> = {}) {
  const redis = await openRedis(t)

  return { redis, ...(await openWorkshop(t, 'redis', { env: { REDIS_URL: redis.url, ...env } })) }
}

async function tookMs(run: () => Promise<unknown>) {
  const since = performance.now()

  await run()

  return performance.now() - since
}

t.test('without Redis every request is refused at once, and accepted again after it returns', options, async t => {
  // A refusal that waited for the timeout would fail the test.
  const { redis, queues, platform, queue } = await openWorkshopOnARedis(t, { QUEUE_TIMEOUT_MS: '60000' })
  const unavailable = { name: 'QueueUnavailable', code: 'queue_unavailable', retryAfter: 5 }

  await queues.enqueue(makeOne, { n: 1 })
  await redis.kill()
  for (let n = 0; n < 10; n++) {
    await t.rejects(queues.enqueue(makeOne, { n: 2 }), unavailable)
    await t.rejects(platform.batches.add(makeMany, { n: 3 }), unavailable)
  }

  await redis.start()
  await eventually(() => queues.backend.isReady(), 'the connection is back by itself')
  await queues.enqueue(makeOne, { n: 4 })
  await platform.batches.add(makeMany, { n: 5 })
  const jobs = await queue.getWaiting()

  t.same(jobs.map(job => (queues.itemsOf(job) as { n: number }[])[0]!.n).sort(), [1, 4, 5], 'what was refused is not there')
})

t.test('requests in flight when Redis stops are refused', options, async t => {
  const { redis, queues, platform } = await openWorkshopOnARedis(t)

  redis.stop()
  const requests = [
    ...numberedItems(20).map(item => queues.enqueue(makeOne, item)),
    ...numberedItems(20).map(item => platform.batches.add(makeMany, item))
  ]
  const settled = Promise.allSettled(requests)
  await redis.kill()

  for (const outcome of await settled) t.equal(outcome.status === 'rejected' && outcome.reason.name, 'QueueUnavailable')
})

t.test('while Redis hangs, the first request times out and the next ones fail fast', options, async t => {
  const { redis, queues, platform } = await openWorkshopOnARedis(t, { QUEUE_TIMEOUT_MS: '500' })
  const refused = (request: Promise<unknown>) => t.rejects(request, { name: 'QueueUnavailable' })

  await queues.enqueue(makeOne, { n: 1 })
  redis.stop()
  const first = await tookMs(() => refused(queues.enqueue(makeOne, { n: 2 })))
  const later = await tookMs(async () => {
    for (let n = 0; n < 5; n++) await refused(queues.enqueue(makeOne, { n: 2 }))
    for (let n = 0; n < 5; n++) await refused(platform.batches.add(makeMany, { n: 2 }))
  })

  t.ok(later < 5 * first, `the first took ${Math.round(first)} ms, ten more ${Math.round(later)} ms`)

  redis.resume()
  await untilTaken(queues, { n: 3 })
  await platform.batches.add(makeMany, { n: 4 })
})

t.test('refused items are released while Redis hangs', options, async t => {
  const { redis, queues } = await openWorkshopOnARedis(t, { QUEUE_TIMEOUT_MS: '500' })

  redis.stop()
  let outcomes: PromiseSettledResult<unknown>[] = []
  const first = await tookMs(async () => {
    outcomes = await Promise.allSettled(numberedItems(1000).map(item => queues.enqueue(makeOne, item)))
  })
  t.ok(outcomes.every(({ status }) => status === 'rejected'))
  const ms = await tookMs(async () => {
    for (let n = 0; n < 10; n++) await t.rejects(queues.enqueue(makeOne, { n }), { name: 'QueueUnavailable' })
  })
  t.ok(ms < first, `with so many unanswered, ten more (${Math.round(ms)} ms) do not wait as the first (${Math.round(first)} ms)`)

  redis.resume()
  await untilTaken(queues, { n: 3 })
})

t.test('a worker resumes once Redis is back', options, async t => {
  const { redis, queues, begin, settled } = await openWorkshopOnARedis(t)
  const made: number[] = []

  await begin(async items => made.push(...numbersOf(items)))
  await queues.enqueue(makeOne, { n: 1 })
  await eventually(() => made.length === 1, 'it works')
  await redis.kill()
  await redis.start()
  await eventually(() => queues.backend.isReady(), 'the connection is back')
  await queues.enqueue(makeOne, { n: 2 })
  await eventually(() => made.length === 2, 'it goes on after a restart')

  redis.stop()
  await t.rejects(queues.enqueue(makeOne, { n: 3 }), { name: 'QueueUnavailable' })
  redis.resume()
  await untilTaken(queues, { n: 4 })
  await eventually(() => made.includes(4), 'it goes on after a pause')
  await settled()
})

t.test('a job that was active when Redis stopped is not lost', options, async t => {
  const { redis, settled, ...workshop } = await openWorkshopOnARedis(t)
  const { made, finish } = await aBatchInHand(workshop)

  await redis.kill()
  finish()
  await redis.start()
  await eventually(() => workshop.queues.backend.isReady(), 'the connection is back')
  await settled()

  t.same(new Set(made), new Set([0, 1, 2]))
})

t.test('a worker process stops on SIGTERM although Redis is unavailable', options, async t => {
  const { redis, config } = await openWorkshopOnARedis(t)
  const worker = startChild(t, { config }, ['workers/main.ts'], { REDIS_URL: redis.url })

  await once(worker, 'message')
  await redis.kill()
  worker.kill('SIGTERM')
  // Less than the time that a worker allows its jobs.
  t.same(await once(worker, 'exit', { signal: AbortSignal.timeout(20_000) }), [0, null])
})

t.test('a worker that cannot close without Redis does not keep its process alive', options, async t => {
  const { redis, ...world } = await openWorkshopOnARedis(t)
  const child = startChild(t, world, ['test/platform/fixtures/idle-worker.ts'])

  await once(child, 'message')
  await redis.kill()
  child.send('close')
  t.same(await once(child, 'exit', { signal: AbortSignal.timeout(30_000) }), [0, null])
  await redis.start()
})
