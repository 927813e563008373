import t, { type Test } from 'tap'
import type { ReceivedEnvelope } from '#errors/jobs.ts'
import { processEnvelope } from '#errors/pipeline/process-envelope.ts'
import { compileRules, defaultRules } from '#errors/scrub/rules.ts'
import { BatchWriter } from '#errors/store/batch-writer.ts'
import { InflateLimiter } from '#lib/inflate-limiter.ts'
import { anEnvelope, anEventId, anException, type EventLike, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

const compiledDefaults = compileRules(defaultRules)
const options = {
  limits: { inflated: 1 << 20, attachment: 1 << 20 },
  limiter: new InflateLimiter(),
  rules: compiledDefaults,
  resolve: async (_id: number, event: Record<string, unknown>) => event
}

async function openWriter(t: Test) {
  const world = await openProject(t)
  const { platform, project, key } = world
  const writer = new BatchWriter()
  const aBatch = async (event: EventLike) => {
    const sent = { projectId: project.id, keyId: key.id, receivedAt: new Date().toISOString(), encoding: '' }
    const job: ReceivedEnvelope = { ...sent, id: anEventId(), body: Buffer.from(anEnvelope(event)) }

    return { job, parsed: await processEnvelope(job, options) }
  }
  const store = ({ job, parsed }: Awaited<ReturnType<typeof aBatch>>) => writer.store(platform.fork(), [job], parsed)

  return { ...world, aBatch, store }
}

t.test('batches that share a transaction each get their own changes, and none fails because of another', async t => {
  const { aBatch, store, untilStored } = await openWriter(t)
  const batches = [
    await aBatch(anException('A')),
    await aBatch(anException('B')),
    await aBatch(anException('C')),
    await aBatch(anException('D'))
  ]
  const newGroup = (n: number) => [['new', batches[n]!.job.id]]

  // Postgres rejects NUL characters.
  batches[2]!.parsed.events[0]!.occurrence.level = 'er\0ror'
  const outcomes = await Promise.allSettled(batches.map(store))

  t.same(
    outcomes.map(outcome => outcome.status === 'fulfilled' && outcome.value.map(({ kind, envelopeId }) => [kind, envelopeId])),
    [newGroup(0), newGroup(1), false, newGroup(3)]
  )
  t.equal((await untilStored(3)).length, 3)

  batches[2]!.parsed.events[0]!.occurrence.level = 'error'
  const repeated = await Promise.all(batches.map(store))

  t.same(
    repeated.map(changes => changes.map(({ kind, envelopeId }) => [kind, envelopeId])),
    [0, 1, 2, 3].map(newGroup),
    'a repeated job gets the same changes'
  )
  t.same(
    (await untilStored(4)).map(({ event_count }: { event_count: number }) => event_count),
    [1, 1, 1, 1]
  )
})

t.test('batches that arrive while a transaction runs share the next one', async t => {
  const { aBatch, store, platform, project } = await openWriter(t)
  const batches = await Promise.all(Array.from({ length: 4 }, () => aBatch(anException())))

  await Promise.all(batches.map(store))
  const { rows } = await platform.pool.query(
    `SELECT array_agg(replace(envelope_id::text, '-', '')) AS envelopes FROM error_events WHERE project_id = $1 GROUP BY xmin::text`,
    [project.id]
  )
  const [first, ...others] = batches.map(({ job }) => job.id)

  t.same(
    rows.map(({ envelopes }) => envelopes.toSorted()).toSorted((a, b) => a.length - b.length),
    [[first], others.toSorted()]
  )
})

t.test('an event that another transaction stores first is a duplicate and creates no group', async t => {
  const { aBatch, store, platform, untilStored, call, path } = await openWriter(t)
  const id = anEventId()

  await store(await aBatch(anException('First')))
  const other = await platform.pool.connect()

  t.teardown(() => other.release(true))
  await other.query('BEGIN')
  await other.query(
    `INSERT INTO error_events (project_id, group_id, event_id, day, occurred_at, received_at, level, payload, envelope_id)
     SELECT project_id, group_id, $1, day, occurred_at, received_at, level, payload, gen_random_uuid() FROM error_events`,
    [id]
  )
  const storing = store(await aBatch({ event_id: id, ...anException('Second') }))

  await eventually(async () => {
    const { rows } = await platform.pool.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO error_events%' AND datname = current_database()`
    )
    return rows.length > 0
  }, 'the insert waits for the other transaction')
  await other.query('COMMIT')

  t.same(await storing, [])
  t.same(
    (await untilStored(1)).map(({ name }: { name: string }) => name),
    ['First']
  )
  t.same((await call('GET', `${path}/stats`)).body.days[0].dropped_by_reason, { duplicate: 1 })
})

t.test('a small batch is stored before large ones that arrived earlier, except for the oldest', async t => {
  const { aBatch, store } = await openWriter(t)
  const batches = await Promise.all(['A', 'B', 'C', 'D'].map(type => aBatch(anException(type))))
  const stored: number[] = []

  for (const { job } of batches.slice(0, 3)) job.events = 300
  // The first transaction holds the first batch alone: no other is pending when it starts.
  await Promise.all(batches.map(async (batch, n) => (await store(batch)) && stored.push(n)))

  t.same(stored, [0, 1, 3, 2])
})
