import t from 'tap'
import { applySchedule, type Scheduled } from '#platform/queue/schedule.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { makeOne, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

const hourly: Scheduled = { id: 'hourly', contract: makeOne, item: { n: 1 }, everySeconds: 3600 }
const nightly: Scheduled = { id: 'nightly', contract: makeOne, item: { n: 2 }, pattern: '0 30 2 * * *' }

onBothBackends(t, 'the schedulers in the queue are exactly those of the schedule', async (t, kind) => {
  const { queues, queue } = await openWorkshop(t, kind)
  const schedulers = async () =>
    (await queue.getJobSchedulers(0, -1))
      .map(({ key, pattern, every, tz, template }) => ({ key, pattern, every: every && Number(every), tz, data: template?.data }))
      .sort((a, b) => a.key.localeCompare(b.key))

  await applySchedule(queues, [hourly, nightly])
  t.hasStrict(await schedulers(), [
    { key: 'hourly', every: 3_600_000, data: { items: [{ n: 1 }] } },
    { key: 'nightly', pattern: '0 30 2 * * *', tz: 'UTC', data: { items: [{ n: 2 }] } }
  ])
  t.equal((await schedulers()).length, 2)

  await applySchedule(queues, [{ ...nightly, pattern: '0 0 3 * * *', item: { n: 3 } }])
  t.hasStrict(await schedulers(), [{ key: 'nightly', pattern: '0 0 3 * * *', data: { items: [{ n: 3 }] } }])
  t.equal((await schedulers()).length, 1)

  await applySchedule(queues, [])
  t.same(await schedulers(), [])
  t.hasStrict(await queue.getJobCounts('delayed'), { delayed: 0 })
})

onBothBackends(t, 'applying the schedule twice, or from several workers at once, changes nothing', async (t, kind) => {
  const { queues, queue } = await openWorkshop(t, kind)

  await Promise.all(Array.from({ length: 6 }, () => applySchedule(queues, [nightly])))
  await applySchedule(queues, [nightly])

  t.equal((await queue.getJobSchedulers(0, -1)).length, 1)
  t.hasStrict(await queue.getJobCounts('delayed', 'waiting'), { delayed: 1, waiting: 0 })
})

onBothBackends(t, 'a scheduled job runs repeatedly', async (t, kind) => {
  const { queues, queue, begin } = await openWorkshop(t, kind)
  const made: number[] = []

  await applySchedule(queues, [{ id: 'often', contract: makeOne, item: { n: 7 }, everySeconds: 1 }])
  await begin(async items => made.push(...numbersOf(items)))
  await eventually(() => made.length >= 3, 'it has run three times')

  t.same(new Set(made), new Set([7]))
  t.equal((await queue.getJobSchedulers(0, -1)).length, 1)
})

onBothBackends(t, 'a scheduled job that fails is retried with backoff', async (t, kind) => {
  const { queues, queue } = await openWorkshop(t, kind)

  await applySchedule(queues, [nightly])
  const [job] = await queue.getDelayed()

  t.hasStrict(job!.opts, { attempts: 3, backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } })
})
