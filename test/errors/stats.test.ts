import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { receiveEnvelopes } from '#errors/jobs.ts'
import { countFailures } from '#errors/store/failure-store.ts'
import { handle } from '#platform/queue/handler.ts'
import { errors as errorHandlers } from '../../workers/errors.ts'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends, type WorldOptions } from '../support/world.ts'

/** A project with the means to see what came and what became of it. */
async function openCountedProject(t: Test, options: WorldOptions = {}) {
  const made = await openProject(t, options)
  const stats = async (query = '') => (await made.call('GET', `${made.path}/stats${query}`)).body
  const job = (body: string, more: object = {}) => ({
    projectId: made.project.id,
    keyId: made.key.id,
    receivedAt: new Date().toISOString(),
    id: anEventId(),
    encoding: '',
    body: Buffer.from(body),
    ...more
  })
  /** Puts envelopes into the queue as the door does, in one job. */
  const enqueue = (items: object[]) => made.platform.queues.enqueueBatch(receiveEnvelopes, 'errors', items)

  return {
    ...made,
    stats,
    job,
    enqueue,
    untilReceived: (items: number) => eventually(async () => hasCome(await stats(), items), `${items} items are counted`)
  }
}

interface Sums {
  received: number
  stored: number
  dropped: number
  days: (Sums & { category: string; dropped_by_reason: Record<string, number> })[]
}

function hasCome(stats: Sums, items: number) {
  return stats.received === items && stats
}

/** In every line, and in all of them together. */
function checkIdentity(t: Test, stats: Sums) {
  for (const sums of [stats, ...stats.days]) t.equal(sums.received, sums.stored + sums.dropped)
  for (const { dropped, dropped_by_reason: reasons } of stats.days) {
    t.equal(
      dropped,
      Object.values(reasons).reduce((sum, items) => sum + items, 0)
    )
  }
}

const anItem = (type: string, payload: unknown) => `{"type":"${type}"}\n${JSON.stringify(payload)}\n`
const now = () => new Date().toISOString()
const aSession = () => ({ sid: anEventId(), init: true, started: now(), timestamp: now(), status: 'ok', attrs: { release: 'shop@1' } })

onBothBackends(t, 'received is stored and dropped, whatever comes and however often it is worked', async (t, kind) => {
  const { job, enqueue, stats, untilReceived, send, key, project, platform, app, call, path } = await openCountedProject(t, {
    kind,
    env: { ATTACHMENT_MAX_BYTES: '10' },
    isPrivate: true
  })
  const event = { event_id: anEventId(), ...anException() }
  const twins = `{}\n${anItem('event', event)}${anItem('event', event)}`
  const lonelyTwins = twins.replaceAll(event.event_id, anEventId())
  const nameless = `{}\n${anItem('event', { message: 'one' })}${anItem('event', { message: 'two' })}`
  const mixed = [
    '{}\n',
    anItem('event', 'no event'),
    anItem('event', [1]),
    anItem('session', aSession()),
    anItem('session', { sid: 'x' }),
    anItem('sessions', { aggregates: [{ started: now(), exited: 3 }], attrs: { release: 'shop@1' } }),
    anItem('user_report', { comments: 'It broke', name: 'Ada' }),
    anItem('feedback', {}),
    anItem('client_report', { discarded_events: [{ reason: 'made up', category: 'made up', quantity: 4 }] }),
    anItem('attachment', 'short'),
    anItem('attachment', 'longer than ten'),
    anItem('transaction', {}),
    anItem('constructor', {}),
    anItem(`made up ${anEventId()}`, {})
  ].join('')
  const batch = [
    job(anEnvelope(event)),
    job(anEnvelope(event)),
    job(twins),
    job(lonelyTwins),
    job(nameless),
    job(mixed),
    job('not an envelope'),
    job('not gzip', { encoding: 'gzip' }),
    job(gzipSync(`{}\n${anItem('event', anException())}`).toString('latin1'), { encoding: 'zstd' })
  ]

  for (const _again of [1, 2, 3]) {
    await enqueue(batch)
    await eventually(async () => {
      return (await platform.queues.get('errors').getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed')) === 0
    }, 'it is worked')
  }
  const worked = await stats()

  t.equal(await platform.queues.get('errors').getFailedCount(), 0)
  checkIdentity(t, worked)
  t.hasStrict(worked, { received: 24, stored: 9, dropped: 15, lost: 4 })
  t.strictSame(Object.fromEntries(worked.days.map((day: Sums['days'][number]) => [day.category, [day.stored, day.dropped_by_reason]])), {
    attachment: [1, { too_large: 1 }],
    client_report: [1, {}],
    envelope: [0, { invalid: 3 }],
    error: [4, { duplicate: 4, unreadable: 2 }],
    feedback: [1, { invalid: 1 }],
    other: [0, { unsupported: 2 }],
    session: [2, { invalid_session: 1 }],
    transaction: [0, { unsupported: 1 }]
  })

  await send('nonsense')
  await send(anEnvelope({ message: 'x'.repeat(1 << 20) }))
  await send('crash', {}, `/api/${project.id}/minidump/?sentry_key=${key.public_key}`)
  await call('PATCH', `${path}/settings`, { active: true, events_per_minute: 1 })
  await eventually(async () => (await send(anEnvelope())).statusCode === 429, 'it is over its quota')
  const { stored } = await eventually(async () => {
    const collected = await stats()
    return collected.days.some((day: Sums['days'][number]) => day.dropped_by_reason.quota) && collected.received >= 24 + 4 + 1 && collected
  }, 'the door has written what it counted')

  checkIdentity(t, await untilReceived(24 + 4 + (stored - 9)))
  await app.close()
})

onBothBackends(t, 'an envelope that fails for good is dropped, until it is stored after all', async (t, kind) => {
  const { job, platform, work, worker, stats, untilReceived } = await openCountedProject(t, { kind })
  const bad = job(anEnvelope(anException('Bad')))
  const good = [job(anEnvelope(anException('Good'))), job(anEnvelope(anException('Good')))]
  let isMended = false

  await worker.close(5000)
  const [receive] = errorHandlers
  const breaking = handle(
    receiveEnvelopes,
    async (items, context) => {
      if (!isMended && items.some(({ id }) => id === bad.id)) throw new Error('it cannot be stored')
      return receive!.run(items, context)
    },
    { failed: (items, { em }) => countFailures(em, items) }
  )

  await work('errors', [breaking])
  await platform.queues.add('errors', receiveEnvelopes, [good[0], bad, good[1]], { attempts: 1, removeOnComplete: true })
  const failed = await untilReceived(3)

  checkIdentity(t, failed)
  hasExactly(t, failed, {
    stored: 2,
    dropped: 1,
    days: [
      { category: 'envelope', dropped_by_reason: { failed: 1 } },
      { category: 'error', stored: 2 }
    ]
  })
  isMended = true
  // It is counted a moment before it is put among the failed.
  const [failedJob] = await eventually(async () => {
    const jobs = await platform.queues.get('errors').getFailed()

    return jobs.length > 0 && jobs
  }, 'it failed')

  await failedJob!.retry()
  await eventually(async () => (await stats()).stored === 3, 'it is stored after all')
  const mended = await stats()

  checkIdentity(t, mended)
  t.hasStrict(mended, { received: 3, stored: 3, dropped: 0 })
})

t.test('items are counted by the client key that they were sent with', async t => {
  const { call, path, key, intake, send, stats, untilReceived } = await openCountedProject(t)
  const { body: other } = await call('POST', `${path}/client_keys`, { allowed_origins: ['https://shop.test'] })
  const sendWith = (body: string, publicKey: string, headers = {}) => send(body, headers, `${intake}?sentry_key=${publicKey}`)
  const sums = async (keyId: number) => {
    const { received, stored, dropped, lost } = await stats(`?key_id=${keyId}`)

    return { received, stored, dropped, lost }
  }

  await sendWith(anEnvelope(), key.public_key)
  await sendWith(anEnvelope(), other.public_key)
  await sendWith(`{}\n${anItem('session', aSession())}${anItem('session', {})}`, other.public_key)
  await sendWith(
    `{}\n${anItem('client_report', { discarded_events: [{ reason: 'sample_rate', category: 'error', quantity: 4 }] })}`,
    other.public_key
  )
  await sendWith(anEnvelope(), other.public_key, { origin: 'https://elsewhere.test' })
  await untilReceived(6)

  t.same(await sums(key.id), { received: 1, stored: 1, dropped: 0, lost: 0 })
  t.same(await sums(other.id), { received: 5, stored: 3, dropped: 2, lost: 4 })
  t.hasStrict(await stats(), { received: 6, stored: 4, dropped: 2, lost: 4 }, 'and together')
  t.same(await sums(999_999), { received: 0, stored: 0, dropped: 0, lost: 0 })
})

t.test('statistics cover any period of up to 90 days', async t => {
  const { stats, call, path, platform, project } = await openCountedProject(t)

  await platform.pool.query(
    `INSERT INTO error_stored_counts (project_id, day, category, items) VALUES ($1, '2026-01-01', 'error', 1), ($1, '2026-01-02', 'error', 2), ($1, '2026-01-03', 'error', 4)`,
    [project.id]
  )
  t.hasStrict(await stats('?since=2026-01-02&until=2026-01-03'), { since: '2026-01-02', until: '2026-01-03', received: 6 })
  t.hasStrict(await stats('?until=2026-01-02'), { since: '2025-12-04', received: 3 })
  for (const [query, error] of [
    ['since=yesterday', 'since is invalid'],
    ['since=2026-01-02&until=2026-01-01', 'since is after until'],
    ['since=2026-01-01&until=2026-06-01', 'since is more than 90 days before until']
  ]) {
    const { status, body } = await call('GET', `${path}/stats?${query}`)

    t.equal(status, 400)
    t.equal(body.error, error)
  }
})
