import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { EmbeddedPostgres } from '../../bin/postgres/embedded-postgres.js'
import { eventually, newNamespace } from '../support/world.ts'
import { makeMany, makeOne, numberedItems, numbersOf } from './contracts.ts'
import { aBatchInHand, openWorkshop, untilTaken } from './workshop.ts'

/** A workshop whose connections can all be cut at once, as when the server restarts. */
async function openWorkshopToCutOff(t: Test) {
  const namespace = newNamespace()
  const workshop = await openWorkshop(t, 'postgres', { namespace, env: { PROCESS_NAME: namespace } })
  const cutOff = async () => {
    const { rowCount } = await workshop.platform.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()',
      [namespace]
    )
    return rowCount!
  }

  return { ...workshop, cutOff }
}

/** A Postgres of the test's own. */
async function openPostgres(t: Test) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-postgres-'))
  const postgres = new EmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })

  t.teardown(async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await postgres.prepare()
  await postgres.start()

  return postgres
}

t.test('terminated connections are reopened when needed', async t => {
  const { queues, platform, cutOff, counts } = await openWorkshopToCutOff(t)

  await queues.enqueue(makeOne, { n: 1 })
  t.ok((await cutOff()) > 0)
  const outcomes = await Promise.allSettled(numberedItems(10).map(item => queues.enqueue(makeOne, item)))

  for (const outcome of outcomes) if (outcome.status === 'rejected') t.equal(outcome.reason.name, 'QueueUnavailable')
  await untilTaken(queues, { n: 2 })
  await platform.batches.add(makeMany, { n: 3 })
  const accepted = outcomes.filter(({ status }) => status === 'fulfilled').length

  t.hasStrict(await counts(), { waiting: accepted + 3 })
})

t.test('a worker resumes after its connections are terminated', async t => {
  const { queues, begin, cutOff, settled } = await openWorkshopToCutOff(t)
  const made: number[] = []

  await begin(async items => made.push(...numbersOf(items)))
  await queues.enqueue(makeOne, { n: 1 })
  await eventually(() => made.length === 1, 'it works')
  await settled()
  await cutOff()
  await untilTaken(queues, { n: 2 })
  await eventually(() => made.includes(2), 'it goes on', 30_000)
  t.pass('it went on')
})

t.test('a job that was active when its worker lost the connection is not lost', async t => {
  const { queue, cutOff, ...workshop } = await openWorkshopToCutOff(t)
  const { made, finish } = await aBatchInHand(workshop)

  await cutOff()
  finish()

  const isEmpty = async () => Object.values(await queue.getJobCounts()).every(count => count === 0)
  await eventually(() => isEmpty().catch(() => false), 'it is done', 40_000)
  t.same(new Set(made), new Set([0, 1, 2]))
})

t.test('while Postgres is unavailable requests are refused, and processing resumes once it is back', async t => {
  const postgres = await openPostgres(t)
  const { queues, platform, begin, counts } = await openWorkshop(t, 'postgres', { env: { DATABASE_URL: postgres.url } })
  const made: number[] = []
  const lost = Promise.withResolvers<void>()

  platform.listener.onLost(lost.resolve)
  await begin(async items => made.push(...numbersOf(items)))
  await queues.enqueue(makeOne, { n: 1 })
  await eventually(() => made.includes(1), 'it works')
  await postgres.stop()
  await lost.promise
  for (let n = 0; n < 3; n++) {
    await t.rejects(queues.enqueue(makeOne, { n: 2 }), { name: 'QueueUnavailable' })
    await t.rejects(platform.batches.add(makeMany, { n: 3 }), { name: 'QueueUnavailable' })
  }

  await postgres.start()
  await untilTaken(queues, { n: 4 })
  await platform.batches.add(makeMany, { n: 5 })
  await eventually(() => made.length >= 3, 'it goes on', 30_000)

  t.same(made.toSorted(), [1, 4, 5])
  t.hasStrict(await counts(), { failed: 0 })
})
