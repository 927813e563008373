import t from 'tap'
import Type from 'typebox'
import { isOutdated, maxShared, priorityOf } from '#platform/queue/backlog/turns.ts'
import { handle } from '#platform/queue/handler.ts'
import { batchId, defineJob } from '#platform/queue/job.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const makeInTurn = defineJob({
  name: 'work.make-in-turn',
  queue: 'work',
  item: Type.Object({ tenant: Type.Integer() }),
  batched: true,
  tenant: item => item.tenant
})

/** Adds so many items of a tenant at once. */
function add({ platform }: Workshop, tenant: number, count: number) {
  return Promise.all(Array.from({ length: count }, () => platform.batches.add(makeInTurn, { tenant })))
}

/** Works one job at a time, and notes the tenants of each. */
async function workThrough({ work }: Workshop, andThen = async () => {}) {
  const jobs: number[][] = []

  await work(
    'work',
    [
      handle(makeInTurn, async items => {
        jobs.push(items.map(({ tenant }) => tenant))
        await andThen()
      })
    ],
    { concurrency: 1 }
  )

  return jobs
}

onBothBackends(t, 'items of small tenants are processed within the first jobs of an earlier flood', async (t, kind) => {
  const workshop = await openWorkshop(t, kind, { isPrivate: true })

  await add(workshop, 1, 3000)
  await workshop.platform.backlog.sample()
  await Promise.all([2, 3, 4].map(tenant => add(workshop, tenant, 5)))
  const jobs = await workThrough(workshop)
  await eventually(() => jobs.flat().length === 3015, 'all are worked')

  t.ok(jobs.findLastIndex(tenants => tenants.some(tenant => tenant !== 1)) < 6, JSON.stringify(jobs.map(([tenant]) => tenant)))
  t.equal(jobs.flat().filter(tenant => tenant === 1).length, 3000)
})

onBothBackends(t, 'items of a small tenant are processed before those of a busy one, although they arrive later', async (t, kind) => {
  const workshop = await openWorkshop(t, kind, { isPrivate: true })
  const { queues, platform } = workshop
  // Workers that are behind the clock: it does not change the round.
  const round = Math.floor(Date.now() / 1000) - 60

  await queues.enqueueBatch(makeInTurn, 'work', [{ tenant: 3 }], batchId(1, Date.now(), 3, round), priorityOf(round))
  await platform.backlog.sample()
  platform.backlog.added('work', maxShared, 1)
  await add(workshop, 1, 2)
  await add(workshop, 2, 2)
  const jobs = await workThrough(workshop)

  await eventually(() => jobs.flat().length === 5, 'all are worked')
  t.same(jobs, [[3], [2, 2], [1, 1]])
})

t.test('a tenant is busy until the second sample after it added many items', async t => {
  const { platform } = await openWorkshop(t, 'postgres', { isPrivate: true })
  const { backlog } = platform
  const isBusy = () => [1, 2].map(tenant => backlog.isBusy('work', tenant))

  backlog.added('work', maxShared - 1, 1)
  backlog.added('work', 1, 2)
  t.same(isBusy(), [false, false])
  backlog.added('work', 1, 1)
  t.same(isBusy(), [true, false])
  await backlog.sample()
  t.same(isBusy(), [true, false])
  await backlog.sample()
  t.same(isBusy(), [false, false])
})

onBothBackends(t, 'two floods take turns, job by job', async (t, kind) => {
  const workshop = await openWorkshop(t, kind, { isPrivate: true })

  await add(workshop, 1, 1000)
  await workshop.platform.backlog.sample()
  await add(workshop, 2, 1000)
  const jobs = await workThrough(workshop)
  await eventually(() => jobs.flat().length === 2000, 'all are worked')

  for (const half of [jobs.slice(0, 10), jobs.slice(10)]) t.equal(half.filter(([tenant]) => tenant === 1).length, 5)
})

onBothBackends(t, 'a flood is processed although a small tenant keeps sending', async (t, kind) => {
  const workshop = await openWorkshop(t, kind, { isPrivate: true })
  let tenant = 2

  await add(workshop, 1, 600)
  await add(workshop, tenant, 1)
  // Before a job is done there is another one of the small tenant.
  const jobs = await workThrough(workshop, async () => {
    if (tenant !== 0) await add(workshop, tenant, 1)
  })

  await eventually(() => jobs.flat().filter(tenant => tenant === 1).length === 600, 'the flood is worked')
  tenant = 0
  await workshop.settled()
  t.ok(jobs.some(([tenant]) => tenant === 2))
})

onBothBackends(t, 'tenants share a job, except for a tenant with a large backlog', async (t, kind) => {
  const workshop = await openWorkshop(t, kind, { env: { BATCH_MS: '100' } })
  const { platform, queue } = workshop
  const tenantsOfJobs = async () =>
    (await queue.getPrioritized()).map(job => (platform.queues.itemsOf(job) as { tenant: number }[]).map(({ tenant }) => tenant))

  await Promise.all([add(workshop, 1, 1), add(workshop, 2, 1)])
  t.same(await tenantsOfJobs(), [[1, 2]])

  platform.backlog.added('work', maxShared, 1)
  await Promise.all([add(workshop, 1, 1), add(workshop, 2, 1)])
  t.same(await tenantsOfJobs(), [[1, 2], [2], [1]])
})

onBothBackends(t, 'a job from before priorities restarted runs before newer ones', async (t, kind) => {
  const { queues, queue, platform } = await openWorkshop(t, kind, { isPrivate: true })
  const at = Date.now() - 2 ** 21 * 1000
  const id = batchId(1, at, 1, Math.floor(at / 1000))

  await queues.enqueueBatch(makeInTurn, 'work', [{ tenant: 1 }], id, 2 ** 21 - 1)
  await platform.backlog.sample()

  t.equal((await queue.getJob(id))!.priority, 1)
})

t.test("priorities rise with rounds, stay in BullMQ's range, and restart after 24 days", async t => {
  const maxPriority = 2 ** 21 - 1
  const begin = 1000 * maxPriority * 100

  t.equal(priorityOf(maxPriority * 100, begin), 1)
  t.equal(priorityOf(maxPriority * 100 + 7, begin), 8)
  t.equal(priorityOf(maxPriority * 100 - 1, begin), 1, 'a round of the former era')
  t.equal(priorityOf(maxPriority * 101 + 5, begin + 1000), maxPriority, 'a round of the next era')
  t.notOk(isOutdated(begin, begin + 1000))
  t.ok(isOutdated(begin - 1, begin))
})
