import t from 'tap'
import { Backlog } from '#platform/queue/backlog/backlog.ts'
import { Drain } from '#platform/queue/backlog/drain.ts'
import { batchId } from '#platform/queue/job.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { makeInOrder, makeMany, makeOne, numberedItems } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

const anHour = 3600 * 1000

onBothBackends(t, 'the backlog is counted in items, not in jobs', async (t, kind) => {
  const { queues, platform } = await openWorkshop(t, kind)
  const { backlog } = platform

  await backlog.sample()
  t.hasStrict(backlog.samples.work, { waitingItems: 0, oldestSeconds: 0 })

  await queues.enqueueBatch(makeMany, 'work', numberedItems(100))
  await queues.enqueueAll(makeOne, numberedItems(2))
  await backlog.sample()

  t.hasStrict(backlog.samples.work, { waitingItems: 102, jobs: { waiting: 3, active: 0, failed: 0 } })
})

onBothBackends(t, 'the items of a long backlog are estimated', async (t, kind) => {
  const { queue, platform } = await openWorkshop(t, kind)
  const jobs = Array.from({ length: 1200 }, () => ({ name: makeMany.name, data: { items: [] }, opts: { jobId: batchId(50) } }))

  await queue.addBulk(jobs)
  await platform.backlog.sample()

  t.equal(platform.backlog.samples.work!.waitingItems, 1200 * 50)
})

onBothBackends(t, 'a single item of a split batch counts as one', async (t, kind) => {
  const { queues, platform, begin, failed } = await openWorkshop(t, kind)
  const worker = await begin(async items => {
    if (items.some(({ n }) => n === 3)) throw new Error('it is broken')
  })

  await queues.enqueueBatch(makeMany, 'work', numberedItems(50))
  const [failedJob] = await failed()
  await worker.close(5000)
  await failedJob!.retry()
  await platform.backlog.sample()

  t.hasStrict(platform.backlog.samples.work, { waitingItems: 1, jobs: { waiting: 1, failed: 0 } })
})

onBothBackends(t, 'the age of the backlog is that of its oldest item', async (t, kind) => {
  const { queues, platform } = await openWorkshop(t, kind)
  const { backlog } = platform

  await queues.enqueueBatch(makeMany, 'work', numberedItems(2), batchId(2, Date.now() - anHour))
  for (let n = 0; n < 5; n++) await queues.enqueueBatch(makeMany, 'work', numberedItems(2))
  await backlog.sample()
  const { oldestSeconds } = backlog.samples.work!

  t.ok(oldestSeconds >= 3600)
  await eventually(async () => {
    await backlog.sample()
    return backlog.samples.work!.oldestSeconds > oldestSeconds
  }, 'it grows')
})

onBothBackends(t, 'an active job is part of the backlog until it is completed', async (t, kind) => {
  const { queues, platform, begin, settled } = await openWorkshop(t, kind)
  const { backlog } = platform
  const finish = Promise.withResolvers<void>()

  await begin(() => finish.promise)
  await queues.enqueueBatch(makeMany, 'work', numberedItems(2), batchId(2, Date.now() - anHour))
  await eventually(async () => {
    await backlog.sample()
    return backlog.samples.work!.jobs.active === 1
  }, 'it is being worked')
  t.ok(backlog.samples.work!.oldestSeconds >= 3600)
  t.equal(backlog.samples.work!.waitingItems, 0)

  finish.resolve()
  await settled()
  await backlog.sample()
  t.hasStrict(backlog.samples.work, { waitingItems: 0, oldestSeconds: 0 })
})

onBothBackends(t, 'a batch that waits for its retry counts toward the age of the backlog, and a delayed job does not', async (t, kind) => {
  const { queues, platform, queue } = await openWorkshop(t, kind)
  const options = { delay: anHour }

  await queues.enqueue(makeOne, { n: 1 }, { ...options, timestamp: Date.now() - anHour })
  await platform.backlog.sample()
  t.hasStrict(platform.backlog.samples.work, { oldestSeconds: 0 })

  await queue.add(makeMany.name, { items: [] }, { ...options, jobId: batchId(2, Date.now() - anHour) })
  await platform.backlog.sample()
  t.ok(platform.backlog.samples.work!.oldestSeconds >= 3600)
})

onBothBackends(t, 'a full queue refuses items', async (t, kind) => {
  const { queues, platform, begin, settled } = await openWorkshop(t, kind, { env: { QUEUE_LIMIT: '10' } })
  const { backlog } = platform

  await queues.enqueueBatch(makeMany, 'work', numberedItems(9))
  await backlog.sample()
  t.doesNotThrow(() => backlog.refuseWhenFull('work'))

  backlog.added('work', 1)
  t.throws(() => backlog.refuseWhenFull('work'), { name: 'QueueFull', code: 'queue_full', message: 'The queue "work" is full.' })

  await queues.enqueue(makeOne, { n: 9 })
  await backlog.sample()
  t.throws(() => backlog.refuseWhenFull('work'), { name: 'QueueFull' })

  await begin(async () => {})
  await settled()
  await backlog.sample()
  t.doesNotThrow(() => backlog.refuseWhenFull('work'))
})

onBothBackends(t, 'only the tenant that used up its share of a queue is refused', async (t, kind) => {
  const { queues, platform } = await openWorkshop(t, kind, { env: { QUEUE_LIMIT: '100', QUEUE_PROJECT_PERCENT: '25' } })
  // As after a restart, or in another process.
  const other = new Backlog(queues, platform.config.queue, platform.log)

  await queues.enqueueBatch(makeMany, 'work', numberedItems(1), batchId(24, Date.now(), 7, 1), 1)
  await other.sample()
  t.doesNotThrow(() => other.refuseWhenFull('work', 7))

  other.added('work', 1, 7)
  t.throws(() => other.refuseWhenFull('work', 7), { name: 'QueueFull', isTenantOnly: true })
  t.doesNotThrow(() => other.refuseWhenFull('work', 8))
  t.doesNotThrow(() => other.refuseWhenFull('work'))
})

onBothBackends(t, "a tenant's items in a long backlog are estimated", async (t, kind) => {
  const { queue, platform } = await openWorkshop(t, kind)
  const jobs = (tenant: number, count: number, priority: number) =>
    Array.from({ length: count }, () => ({
      name: makeMany.name,
      data: { items: [] },
      opts: { jobId: batchId(50, Date.now(), tenant, priority), priority }
    }))

  await queue.addBulk([...jobs(1, 300, 1), ...jobs(2, 900, 2)])
  await platform.backlog.sample()
  const { waitingItems, jobs: counts, round } = platform.backlog.samples.work!
  const [one, two] = [1, 2].map(tenant => platform.backlog.waitingOf('work', tenant) / 50)

  t.equal(waitingItems, 1200 * 50)
  t.hasStrict(counts, { waiting: 1200 })
  t.equal(round, 1)
  t.ok(one! > 200 && one! < 400, `${one} for 300`)
  t.equal(one! + two!, 1200)
})

onBothBackends(t, 'the shards of a queue share one limit', async (t, kind) => {
  const { queues, platform } = await openWorkshop(t, kind, { queues: { work: { shards: 2 } }, env: { QUEUE_LIMIT: '10' } })

  await queues.enqueueBatch(makeInOrder, 'work-0', numberedItems(5))
  await queues.enqueueBatch(makeInOrder, 'work-1', numberedItems(5))
  await platform.backlog.sample()

  t.throws(() => platform.backlog.refuseWhenFull('work'), { name: 'QueueFull' })
})

onBothBackends(t, 'the backlog is sampled repeatedly until it is stopped', async (t, kind) => {
  const { queues, platform } = await openWorkshop(t, kind)
  const watch = () => {
    const backlog = new Backlog(queues, { limit: 10, tenantPercent: 100 }, platform.log)
    const look = backlog.sample.bind(backlog)
    const looks = { count: 0 }

    backlog.sample = () => {
      looks.count++
      return look()
    }
    return { backlog, looks }
  }
  const [stopped, other] = [watch(), watch()]
  const starting = stopped.backlog.start(5)

  // While it looks, so that it must not begin again after that.
  stopped.backlog.stop()
  await starting
  await queues.enqueue(makeOne, { n: 1 })
  await other.backlog.start(5)
  await eventually(() => other.looks.count > 5, 'the other goes on looking')
  other.backlog.stop()

  t.hasStrict(other.backlog.samples.work, { waitingItems: 1 })
  t.equal(stopped.looks.count, 1)
})

onBothBackends(t, 'a worker counts for its queues while it sends heartbeats', async (t, kind) => {
  const { platform } = await openWorkshop(t, kind)
  const count = async () => {
    await platform.backlog.sample()

    return platform.backlog.samples.work!.workers
  }

  const beats = (name: string, queues: string, secondsAgo: number) =>
    platform.pool.query(`INSERT INTO processes VALUES ($1, 'worker', $2, 'here', 1, now(), now() - make_interval(secs => $3), '')`, [
      name,
      queues,
      secondsAgo
    ])

  t.equal(await count(), 0)
  await beats('one', '{work,other}', 1)
  await beats('another', '{work}', 18)
  await beats('of another queue', '{other}', 1)
  await beats('silent', '{work}', 21)
  t.equal(await count(), 2)
  await platform.pool.query(`UPDATE processes SET seen_at = now()`)
  t.equal(await count(), 3)
})

t.test('the time left is the backlog divided by its decrease over the last minute', async t => {
  const drain = new Drain()

  t.same([drain.perSecond, drain.secondsLeft], [0, 0])
  drain.add(1000, 0)
  drain.add(1100, 1000)
  t.same([drain.perSecond, drain.secondsLeft], [0, undefined])
  drain.add(900, 10_000)
  t.same([drain.perSecond, drain.secondsLeft], [10, 90])
  drain.add(300, 70_500)
  t.same([drain.perSecond, drain.secondsLeft], [0, undefined])
  drain.add(0, 71_500)
  t.same([drain.perSecond, drain.secondsLeft], [300, 0])
})
