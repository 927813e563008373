import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { buildApp } from '#app.ts'
import { receiveEnvelopes } from '#errors/jobs.ts'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { aYoungMinute, eventually, onBothBackends, type QueueKind } from '../support/world.ts'

/** A project that is a week old, and sent so many events on each of its days. */
async function openSeasonedProject(t: Test, kind: QueueKind, eventsADay = 0) {
  const made = await openProject(t, { kind })
  const { platform, project, path, call } = made

  await platform.pool.query(`UPDATE projects SET created_at = now() - interval '10 days' WHERE id = $1`, [project.id])
  await platform.pool.query(
    `INSERT INTO error_stored_counts (project_id, day, category, items)
     SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, 'error', $2 FROM generate_series(1, 7) n`,
    [project.id, eventsADay]
  )
  const stats = async () => (await call('GET', `${path}/stats?since=${today()}`)).body
  const payloads = async () => (await platform.pool.query('SELECT count(*)::int AS payloads FROM error_events')).rows[0].payloads

  return { ...made, stats, payloads }
}

function today() {
  return new Date().toISOString().slice(0, 10)
}

/** Sends so many events of one error, in as few envelopes as hold them. */
async function flood(send: (envelope: string) => Promise<{ statusCode: number }>, events: number) {
  for (let left = events; left > 0; left -= 100) {
    const response = await send(`{}\n${`{"type":"event"}\n${JSON.stringify(anException('Flood'))}\n`.repeat(Math.min(left, 100))}`)

    if (response.statusCode !== 200) throw new Error(`refused with ${response.statusCode}`)
  }
}

const one = () => anEnvelope({ event_id: anEventId(), ...anException('Flood'), user: { id: anEventId() } })

onBothBackends(t, 'events above the threshold are counted without their payload, in every process', async (t, kind) => {
  const { app, platform, send, project, key, errors, stats, payloads } = await openSeasonedProject(t, kind)
  const other = await buildApp({ ...platform, registry: new Registry() })
  const url = `/api/${project.id}/envelope/?sentry_key=${key.public_key}`

  t.teardown(() => other.close())
  // All of it has to come within one minute.
  await aYoungMinute()
  await flood(send, 1000)
  await eventually(async () => (await platform.pool.query('SELECT 1 FROM error_usage')).rowCount, 'others can know')
  t.equal((await other.inject({ method: 'POST', url, payload: one() })).statusCode, 200, 'a process that has not heard keeps one more')
  const isCounted = async (events: number) => (await platform.pool.query('SELECT 1 FROM error_usage WHERE events = $1', [events])).rowCount

  await eventually(() => isCounted(1001), 'it has been told')
  for (let n = 0; n < 2; n++) t.equal((await app.inject({ method: 'POST', url, payload: one() })).statusCode, 200)
  // The row is there before the process that wrote it has read the response.
  await eventually(() => isCounted(1003), 'it has read what it was told')
  t.equal((await other.inject({ method: 'POST', url, payload: one() })).statusCode, 200)

  await eventually(async () => (await stats()).received === 1004, 'all of them are counted')
  const [error] = await errors()

  t.hasStrict(error, { event_count: 1004, approximated_user_count: 4 }, 'in their error as well')
  t.equal(await payloads(), 1001)
  hasExactly(t, await stats(), {
    received: 1004,
    stored: 1001,
    dropped: 3,
    days: [{ category: 'error', received: 1004, dropped_by_reason: { spike: 3 } }]
  })
})

t.test('the threshold is ten times the usual rate of a project', async t => {
  // 200 a minute.
  const { send, stats } = await openSeasonedProject(t, 'postgres', 200 * 24 * 60)

  await aYoungMinute()
  await flood(send, 1999)
  for (let n = 0; n < 3; n++) await send(one())
  await eventually(async () => (await stats()).received === 2002, 'all are counted')
  hasExactly(t, await stats(), { stored: 2000, dropped: 2, days: [{ dropped_by_reason: { spike: 2 } }] })
})

t.test('a project without protection or without a baseline stores all events', async t => {
  const { send, stats, call, path, platform } = await openSeasonedProject(t, 'postgres')

  await call('PATCH', `${path}/settings`, { active: true, spike_protection: false })
  await flood(send, 1001)
  await send(one())
  await call('PATCH', `${path}/settings`, { active: true, spike_protection: true })
  await platform.pool.query(`UPDATE projects SET created_at = now() - interval '1 day'`)
  await call('PATCH', `${path}/settings`, { active: true })
  await flood(send, 1001)
  await send(one())
  await eventually(async () => (await stats()).received === 2004, 'all are counted')
  t.hasStrict(await stats(), { stored: 2004, dropped: 0 })
})

onBothBackends(t, 'processing a batch of a spike again changes nothing', async (t, kind) => {
  const { platform, project, key, stats, errors, payloads } = await openSeasonedProject(t, kind)
  const file = '{"type":"attachment","length":1}\nx\n{"type":"client_report"}\n{}\n'
  const item = () => ({
    projectId: project.id,
    keyId: key.id,
    receivedAt: new Date().toISOString(),
    id: anEventId(),
    encoding: '',
    body: Buffer.from(`${one()}${file}`),
    isInSpike: true
  })
  const calm = { ...item(), isInSpike: undefined }
  const items = [item(), calm, item()]

  for (const _again of [1, 2, 3]) {
    await platform.queues.enqueueBatch(receiveEnvelopes, 'errors', items)
    await eventually(async () => {
      return (await platform.queues.get('errors').getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed')) === 0
    }, 'it is worked')
  }
  t.equal(await platform.queues.get('errors').getFailedCount(), 0)
  t.hasStrict(await stats(), { received: 9, stored: 5, dropped: 4 })
  hasExactly(t, await errors(), [{ event_count: 3 }])
  t.equal(await payloads(), 1)
})
