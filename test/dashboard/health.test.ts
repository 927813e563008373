import t, { type Test } from 'tap'
import type { Platform } from '#boot.ts'
import { Heartbeat } from '#platform/observability/heartbeat.ts'
import { openRegistry } from '#platform/observability/metrics.ts'
import { sampleHealth } from '#platform/observability/samples/jobs.ts'
import { takeSample } from '#platform/observability/samples/sample-health.ts'
import { SubstituteSampling } from '#platform/observability/samples/substitute-sampling.ts'
import { workerMetrics } from '#platform/observability/worker-metrics.ts'
import { handle } from '#platform/queue/handler.ts'
import { InvalidPayload } from '#platform/queue/job.ts'
import { aMember } from '../pages/a-member.ts'
import { Visitor } from '../pages/visitor.ts'
import { makeOne } from '../platform/contracts.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { eventually, onBothBackends, openApp, type WorldOptions } from '../support/world.ts'

const minute = 60_000

/** An installation whose worker counts, and the admin's view of it. */
async function openHealth(t: Test, options: WorldOptions = {}) {
  const project = await openProject(t, options)
  const visitor = new Visitor(project.app)
  const worker = aProcess(t, project.platform)

  await project.worker.close(5000)
  await visitor.signIn()

  return {
    ...project,
    worker,
    visitor,
    /** The page without tags. */
    async page(query = '') {
      await project.platform.backlog.sample()

      return textOf((await visitor.get(`/admin${query}`)).body)
    }
  }
}

function aProcess(
  t: Test,
  { pool, log, queues }: Platform,
  { name = 'worker.1@here', role = 'worker', registry = openRegistry(role) } = {}
) {
  const names = [...new Set(queues.names.map(name => queues.queueOf(name)))]
  const heartbeat = new Heartbeat(pool, registry, log, { name, role, queues: names })

  t.teardown(() => heartbeat.stop())

  return Object.assign(heartbeat, { metrics: role === 'worker' ? workerMetrics(registry) : undefined! })
}

function textOf(body: string) {
  return body
    .replaceAll(/<title[^>]*>.*?<\/title>|<svg[\s\S]*?<\/svg>|<details[\s\S]*?<\/details>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u2068\u2069]+/g, ' ')
}

function sample({ fork, queues, git, config }: Platform, at: Date) {
  return takeSample({ em: fork(), queues, git, config }, at)
}

async function samplesOf({ pool }: Platform, resolution = 60) {
  const { rows } = await pool.query('SELECT at, values FROM health_samples WHERE resolution = $1 ORDER BY at', [resolution])

  return rows as { at: Date; values: Record<string, number> }[]
}

onBothBackends(t, 'the plots show what is received, stored and dropped, and how long it took', async (t, kind) => {
  // The intake of the shared application counts for other tests, too.
  const { platform, worker, work, send, untilStored, page } = await openHealth(t, { kind, isPrivate: true })
  const web = aProcess(t, platform, { name: 'web.1@here', role: 'web', registry: platform.registry })
  const now = Date.now()

  await worker.beat()
  await web.beat()
  await sample(platform, new Date(now - minute))
  await work('errors', undefined, { metrics: worker.metrics })
  const twice = anEnvelope({ event_id: 'ab'.repeat(16) })
  for (const envelope of [anEnvelope(), twice]) await send(envelope)
  await untilStored(2)
  await send(twice)
  await send('{"event_id":"no"}\nnonsense')
  await eventually(async () => {
    await worker.beat()
    await web.beat()

    return (await platform.pool.query(`SELECT FROM metric_totals WHERE name LIKE 'tocsin_dropped%'`)).rowCount === 2
  }, 'all is counted')
  await sample(platform, new Date(now))
  const [before, after] = await samplesOf(platform)

  t.equal(before!.values['tocsin_stored_items_total{category="error"}'], undefined)
  t.hasStrict(after!.values, {
    'tocsin_accepted_items_total{queue="errors"}': 3,
    'tocsin_stored_items_total{category="error"}': 2,
    'tocsin_dropped_items_total{reason="duplicate"}': 1,
    'tocsin_dropped_items_total{reason="invalid"}': 1,
    'tocsin_time_to_stored_seconds_bucket{le="+Inf"}': 3,
    'queue_waiting{queue="errors"}': 0
  })
  const text = await page()

  t.match(text, /Items per second/)
  t.match(text, /Dropped per second (\S+ )?duplicate (\S+ )?invalid/)
  t.match(text, /Time to stored p50 p95 p99/)
  for (const period of ['day', 'month', 'nonsense']) t.match(await page(`?period=${period}`), /Items per second|No samples yet/)
})

onBothBackends(t, 'two samples of a minute are one row, and the scheduled job takes one', async (t, kind) => {
  const { platform, work } = await openHealth(t, { kind })
  const at = new Date('2026-11-27T10:00:30Z')

  await Promise.all([sample(platform, at), sample(platform, at)])
  await sample(platform, new Date('2026-11-27T10:00:59Z'))
  t.same(
    (await samplesOf(platform)).map(({ at }) => at.toISOString()),
    ['2026-11-27T10:00:00.000Z']
  )

  await work('maintenance')
  await platform.queues.enqueue(sampleHealth, {})
  await eventually(
    async () => (await samplesOf(platform)).length === 1 && Date.now() - (await samplesOf(platform))[0]!.at.getTime() < 2 * minute,
    'it is sampled, and the old one deleted'
  )
})

t.test('rows of lower resolution have the peaks of queues and the last totals, and old rows are deleted', async t => {
  const { platform, worker, send } = await openHealth(t)
  const start = Date.parse('2026-11-27T10:00:00Z')

  for (let n = 1; n <= 12; n++) {
    if (n === 5) await send(anEnvelope())
    if (n === 6) await platform.queues.get('errors').drain()
    worker.metrics.stored('error', 10)
    await worker.beat()
    await sample(platform, new Date(start + n * minute))
  }
  const [row, ...others] = await samplesOf(platform, 600)

  t.same(others, [])
  t.equal(row!.at.toISOString(), '2026-11-27T10:10:00.000Z')
  t.equal(row!.values['queue_waiting{queue="errors"}'], 1)
  t.equal(row!.values['tocsin_stored_items_total{category="error"}'], 100)
  t.ok(row!.values.database_bytes! > 0)
  t.equal((await samplesOf(platform)).length, 12)

  await sample(platform, new Date(start + (24 * 60 + 5) * minute))
  t.equal((await samplesOf(platform)).length, 1)
  t.equal((await samplesOf(platform, 600)).length, 1)
  await sample(platform, new Date(start + (40 * 24 * 60 + 5) * minute))
  t.same(await samplesOf(platform, 600), [])
  t.same(await samplesOf(platform, 3600), [])
})

t.test('totals are those of all processes, also of those that ended', async t => {
  const { platform } = await openHealth(t)
  const stored = async () =>
    (await platform.pool.query(`SELECT value FROM metric_totals WHERE name = 'tocsin_stored_items_total{category="error"}'`)).rows[0]?.value
  const first = aProcess(t, platform)
  const second = aProcess(t, platform, { name: 'worker.2@here' })

  first.metrics.stored('error', 5)
  second.metrics.stored('error', 2)
  await first.beat()
  await second.beat()
  await second.beat()
  t.equal(await stored(), 7)
  first.metrics.stored('error', 1)
  await first.stop()
  t.equal(await stored(), 8, 'what it counted last is not lost')

  const restarted = aProcess(t, platform)
  restarted.metrics.stored('error', 3)
  await restarted.beat()
  t.equal(await stored(), 11)
})

t.test('counts that could not be written are added with the next heartbeat', async t => {
  const { platform, worker } = await openHealth(t)

  worker.metrics.stored('error', 4)
  await platform.pool.query('ALTER TABLE metric_totals RENAME TO elsewhere')
  await t.rejects(worker.beat())
  await platform.pool.query('ALTER TABLE elsewhere RENAME TO metric_totals')
  await worker.beat()
  t.equal((await platform.pool.query(`SELECT value FROM metric_totals WHERE name LIKE 'tocsin_stored%'`)).rows[0].value, 4)
})

t.test('a web process samples while no worker does', async t => {
  const { platform } = await openHealth(t)
  const sampling = new SubstituteSampling(platform)
  const now = Date.now()

  await sampling.sample(new Date(now))
  await sampling.sample(new Date(now + minute))
  t.equal((await samplesOf(platform)).length, 1, 'the last one is recent')
  await sampling.sample(new Date(now + 3 * minute))
  t.equal((await samplesOf(platform)).length, 2)
  await sampling.stop()
})

onBothBackends(t, 'an admin sees why jobs fail, and retries them', async (t, kind) => {
  const { app, platform, work } = await openApp(t, { kind, queues: { work: {} } })
  const visitor = new Visitor(app)
  const made: number[] = []
  let isMended = false
  const page = async () => {
    await platform.backlog.sample()

    return (await visitor.get('/admin')).body
  }

  await visitor.signIn()
  await aProcess(t, platform).beat()
  await work('work', [
    handle(makeOne, async ([item]) => {
      if (!isMended) throw new InvalidPayload(item!.n === 3 ? 'another cause' : `number ${item!.n} cannot be made`)
      made.push(item!.n)
    })
  ])
  for (const n of [1, 2, 3]) await platform.queues.enqueue(makeOne, { n })
  await eventually(async () => (await platform.queues.get('work').getFailedCount()) === 3, 'all failed')

  t.match(textOf(await page()), /3 failed jobs.*2 × work\.make-one in work, last just now number … cannot be made.*1 × work\.make-one/)
  isMended = true
  const reason = 'number … cannot be made'
  const answer = await visitor.post('/admin/failed_jobs/retry', { queue: 'work', job: 'work.make-one', reason })

  t.equal(answer.statusCode, 303)
  await eventually(() => made.length === 2, 'they are made')
  t.match(textOf(await page()), /2 jobs will run again.*1 failed job /)
  t.same(made.sort(), [1, 2])
  await visitor.post('/admin/failed_jobs/retry', { queue: 'work', job: 'work.make-one', reason })
  t.match(textOf(await page()), 'These jobs have been retried or removed already.')
  await visitor.post('/admin/failed_jobs/retry', { queue: 'constructor', job: 'x', reason: 'x' })
  t.match(textOf(await page()), 'These jobs have been retried or removed already.')
})

t.test('the verdict is the worst that is wrong, with the way to mend it', async t => {
  const { platform, worker, page, send } = await openHealth(t, { env: { QUEUE_LIMIT: '5', QUEUE_PROJECT_PERCENT: '100' } })
  const verdict = async () => /Sign out Health (.*?) (?:Hour Day|No mail server)/.exec(await page())![1]
  const insert = (sql: string) => platform.pool.query(sql)

  t.match(await verdict(), /^No worker runs Start one: npm start -- worker=1/)
  await worker.beat()
  t.equal(await verdict(), 'Running; 2 things to do', 'hints are no problems')
  t.match(await page(), /No mail server is configured.*No backup is known/)

  await insert(`INSERT INTO processes (name, role, queues, host, pid, started_at, seen_at, metrics, version)
    VALUES ('worker.8@gone', 'worker', '{errors}', 'gone', 1, now(), now() - interval '90 seconds', '[]', '0.0.9')`)
  t.match(await verdict(), /^worker\.8@gone has not responded for 1 min /)
  await insert(`UPDATE processes SET seen_at = now() WHERE name = 'worker.8@gone'`)
  t.match(await verdict(), /^Processes run different releases: 0\.0\.9, \d/)
  await insert(`DELETE FROM processes WHERE name = 'worker.8@gone'`)

  await insert(`INSERT INTO worker_stalls VALUES ('errors', 1, 'b-1', now())`)
  t.match(await verdict(), /^A job of errors stopped a worker /)
  await insert('DELETE FROM worker_stalls')

  for (let n = 0; n < 4; n++) await send(anEnvelope())
  t.match(await verdict(), /^The queue errors is almost full /)
  await platform.queues.get('errors').drain()

  await insert(`INSERT INTO backups (finished_at, bytes) VALUES (now() - interval '8 days', 1048576)`)
  t.match(await page(), /The last known backup is 8 d old.*Last backup 8 days ago , 1\.0 MiB/)
  await insert('INSERT INTO backups (bytes) VALUES (1)')
  t.notMatch(await page(), /backup is/)
})

onBothBackends(t, 'an item that waits for long is a problem, and a recurring job that was added long ago is none', async (t, kind) => {
  const { platform, worker, page } = await openHealth(t, { kind })
  const queue = platform.queues.get('maintenance')
  const ago = (ms: number, delay = 0) =>
    queue.add('platform.tidy-up', { items: [{}] }, { timestamp: Date.now() - ms, delay: delay || undefined })

  await worker.beat()
  const job = await ago(3_600_000, 3_599_000)
  await job.promote().catch(() => {})
  t.match(await page(), 'Running; 2 things to do')
  t.match(await page(), /No samples yet[\s\S]* Queues /)
  await job.remove()
  await ago(4 * minute)
  t.match(await page(), /The oldest item in maintenance has waited for 4 min/)
})

t.test('a disk that fills is a problem before it is full', async t => {
  const { platform, worker, page } = await openHealth(t)
  const free = (await platform.git.storages.space('default')).freeBytes
  const now = Date.now()

  await worker.beat()
  for (let hours = 48; hours > 0; hours--)
    await insertAt(platform, 3600, now - hours * 60 * minute, { 'disk_free_bytes{disk="default"}': free * (1 + hours / 72) })
  t.match(await page(), /The disk of default is full in 3 days/)
})

t.test('mail that fails is a problem until some is accepted', async t => {
  const { platform, worker, page } = await openHealth(t, { env: { SMTP_URL: 'smtp://mail.example.com' } })
  const now = Math.floor(Date.now() / minute) * minute
  const mails = (outcome: string) => `tocsin_mails_total{outcome="${outcome}"}`

  await worker.beat()
  for (const [n, values] of [
    { [mails('sent')]: 1, [mails('failed')]: 2 },
    { [mails('sent')]: 2, [mails('failed')]: 3 },
    { [mails('sent')]: 2, [mails('failed')]: 4 },
    { [mails('sent')]: 2, [mails('failed')]: 6 }
  ].entries())
    await insertAt(platform, 60, now - (10 - n) * minute, values)
  const at = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }).format(
    now - 8 * minute
  )

  t.match(await page(), new RegExp(`Mail has failed since ${at}`))
  await insertAt(platform, 60, now - minute, { [mails('sent')]: 2, [mails('failed')]: 6, [mails('refused')]: 1 })
  t.notMatch(await page(), /Mail fails/)
})

t.test('channels that fail are listed with the answer of the receiver', async t => {
  const { platform, worker, page, project } = await openHealth(t)

  await worker.beat()
  await platform.pool.query(
    `WITH channel AS (INSERT INTO notification_channels (project_id, kind, name) VALUES ($1, 'slack', 'Ops') RETURNING id)
     INSERT INTO notification_deliveries (project_id, target, channel_id, reason, status, send_at, answer)
     SELECT $1, 'channel-' || id, id, 'rule', 'failed', now(), '404 no_such_channel' FROM channel`,
    [project.id]
  )
  t.match(await page(), /1 channel fails.*Ops failed just now 404 no_such_channel/)
})

t.test('only admins see the health, and retry', async t => {
  const world = await openApp(t)
  const member = await aMember(world, 'ann')
  const stranger = new Visitor(world.app)

  for (const visitor of [member, stranger]) {
    const status = visitor === member ? 403 : 401

    t.equal((await visitor.get('/admin')).statusCode, status)
    t.equal(
      (await visitor.post('/admin/failed_jobs/retry', { queue: 'errors', job: 'x', reason: 'y' })).statusCode,
      visitor === member ? 403 : (await stranger.post('/admin/mail/test')).statusCode
    )
  }
})

function insertAt({ pool }: Platform, resolution: number, at: number, values: Record<string, number>) {
  return pool.query('INSERT INTO health_samples VALUES ($1, $2, $3)', [resolution, new Date(at), values])
}
