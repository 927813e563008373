import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { buildApp } from '#app.ts'
import { startChild } from '../support/children.ts'
import { onBothBackends } from '../support/world.ts'
import { type Item, makeMany, makeOne, numberedItems } from './contracts.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

/** Starts a worker again whenever it ends, as the supervisor does, until a job has failed. */
async function superviseUntilFailed(t: Test, { failed, ...world }: Workshop, concurrency: number) {
  const made: number[] = []
  const logs: string[] = []
  const ends: unknown[] = []
  const quarantined = failed(1, 120_000).then(jobs => ({ jobs }))

  for (;;) {
    const worker = startChild(
      t,
      world,
      ['test/platform/fixtures/looping-worker.ts', String(concurrency)],
      { WATCHDOG_SECONDS: '2' },
      'pipe'
    )
    const log = text(worker.stderr!)

    worker.on('message', numbers => made.push(...(numbers as number[])))
    const ended = once(worker, 'close')
    const found = await Promise.race([quarantined, ended.then(() => undefined)])

    if (found) {
      await world.settled()
      worker.kill('SIGKILL')
      await ended

      return { made: made.sort((a, b) => a - b), logs, ends, jobs: found.jobs }
    }
    ends.push((await ended)[1])
    logs.push(await log)
  }
}

onBothBackends(t, 'an item that loops forever is quarantined, and the others of its batch are processed once', async (t, kind) => {
  const workshop = await openWorkshop(t, kind)
  const app = await buildApp(workshop.platform)

  t.teardown(() => app.close())
  await workshop.queues.enqueueBatch(makeMany, 'work', numberedItems(6))
  await workshop.queues.enqueueBatch(makeMany, 'work', numberedItems(3, 10))
  const { made, logs, ends, jobs } = await superviseUntilFailed(t, workshop, 1)

  t.same(made, [0, 1, 2, 4, 5, 10, 11, 12])
  t.same(
    jobs.map(job => [(workshop.queues.itemsOf(job) as Item[])[0]!.n, job.failedReason]),
    [[3, 'this item stopped two workers']]
  )
  t.same(ends, ['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGKILL'], 'two for the batch, two for the item')

  const lines = logs.map(log => JSON.parse(log))
  t.hasStrict(lines[0], { level: 60, process: 'looping', jobs: [{ queue: 'work', name: 'work.make-many' }] })
  t.same(lines[0].jobs[0].projects, [])
  t.ok(lines.some(({ stack }) => stack?.[0].startsWith('loopAtThree ')))
  t.equal(lines[0].msg, 'the event loop did not respond for 2 s; ending the process')

  const readiness = await app.inject({ url: '/-/readiness' })
  t.equal(readiness.statusCode, 200)
  const health = readiness.json()
  t.hasStrict(health, { status: 'ok' })
  t.match(health, { checks: { workers: /^degraded: work job b-\S+-6-\S+ stalled \d+ s ago$/ } })
  t.match((await app.inject({ url: '/-/metrics' })).body, /^tocsin_worker_stalls_total\{queue="work",process="[^"]+"\} 4$/m)
})

onBothBackends(t, 'jobs that run beside a looping job are not quarantined', async (t, kind) => {
  const workshop = await openWorkshop(t, kind)

  await workshop.queues.enqueueAll(makeOne, numberedItems(12))
  const { made, ends, jobs } = await superviseUntilFailed(t, workshop, 4)

  t.same([...new Set(made)], [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11])
  t.same(
    jobs.map(job => (workshop.queues.itemsOf(job) as Item[])[0]!.n),
    [3]
  )
  t.same(ends, ['SIGKILL', 'SIGKILL'])
})
