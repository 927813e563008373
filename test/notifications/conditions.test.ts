import t from 'tap'
import { loadReleaseSubjects } from '#notifications/messages/release-subjects.ts'
import { evaluateConditions } from '#notifications/rules/condition-store.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'
import { aWebhookRule } from './receiver.ts'

const url = 'http://127.0.0.1:9/'

t.test('an error above the threshold of a rule is reported once in its window', async t => {
  const { project, send, platform, count, ...world } = await openProject(t)
  const kinds = async () => (await platform.pool.query(`SELECT kind, data FROM outbox WHERE kind <> 'error.new' ORDER BY id`)).rows

  const { rule } = await aWebhookRule({ ...world, platform }, project.id, url, ['error.frequent'], {
    thresholdEvents: 2,
    thresholdMinutes: 60
  })
  for (let n = 0; n < 2; n++) await send(anEnvelope(anException()))
  await eventually(async () => (await count()) === 2, 'two events')
  await evaluateConditions(platform.fork(), new Date())
  t.same(await kinds(), [], 'not above the threshold')

  await send(anEnvelope(anException()))
  await eventually(async () => (await count()) === 3, 'three events')
  await evaluateConditions(platform.fork(), new Date())
  await evaluateConditions(platform.fork(), new Date())
  t.same(await kinds(), [{ kind: 'error.frequent', data: { ruleId: rule.id, events: 3, minutes: 60 } }])
})

t.test('an error that reaches many users within an hour is reported once in it', async t => {
  const { project, send, platform, count, ...world } = await openProject(t)
  const kinds = async () => (await platform.pool.query(`SELECT kind, data FROM outbox WHERE kind <> 'error.new' ORDER BY id`)).rows
  const { rule } = await aWebhookRule({ ...world, platform }, project.id, url, ['error.users'], { thresholdUsers: 2 })
  const sendAs = async (...ids: number[]) => {
    const before = await count()

    for (const id of ids) await send(anEnvelope({ ...anException(), user: { id: String(id) } }))
    await eventually(async () => (await count()) === before + ids.length, 'all are stored')
    await evaluateConditions(platform.fork(), new Date())
  }

  await sendAs(1, 2, 2)
  t.same(await kinds(), [], 'two users')
  await sendAs(3)
  await evaluateConditions(platform.fork(), new Date())
  t.same(await kinds(), [{ kind: 'error.users', data: { ruleId: rule.id, minutes: 60 } }])

  await platform.pool.query("UPDATE error_samples SET minute = minute - interval '2 hours', users = 3")
  await platform.pool.query("UPDATE error_groups SET first_seen_at = first_seen_at - interval '2 hours'")
  await platform.pool.query("DELETE FROM outbox WHERE kind = 'error.users'")
  await sendAs(4, 5)
  t.same(await kinds(), [], 'those of earlier hours do not count')
  await sendAs(6)
  t.equal((await kinds()).length, 1)
})

t.test('a release whose sessions crash is reported once a day, to rules with its pattern', async t => {
  const { project, platform, ...world } = await openProject(t)
  const entries = async () => (await platform.pool.query(`SELECT kind, subject_id FROM outbox ORDER BY id`)).rows
  const at = new Date()
  const sessions = (release: string, started: number, crashed: number, hours = 0) =>
    platform.pool.query(
      `WITH made AS (INSERT INTO error_releases (project_id, version, first_seen_at, last_seen_at) VALUES ($1, $2, now(), now()) ON CONFLICT DO NOTHING)
       INSERT INTO error_sessions (project_id, hour, release, environment, started, errored, crashed, abnormal)
       VALUES ($1, date_trunc('hour', $3::timestamptz, 'UTC') - make_interval(hours => $6), $2, 'live', $4, 0, $5, 0)`,
      [project.id, release, at, started, crashed, hours]
    )
  await aWebhookRule({ ...world, platform }, project.id, url, ['release.unhealthy'], { crashFreePercent: 98, releases: ['shop@*'] })

  await sessions('shop@1', 100, 2)
  await sessions('shop@2', 49, 40)
  await sessions('shop@3', 100, 50, 2)
  await evaluateConditions(platform.fork(), at)
  t.same(await entries(), [], 'enough are well, too few, or too long ago')
  await sessions('shop@4', 30, 0)
  await sessions('shop@4', 70, 3, 1)
  await evaluateConditions(platform.fork(), at)
  await evaluateConditions(platform.fork(), at)
  const [entry, ...others] = await entries()
  const [subject] = await loadReleaseSubjects(platform.fork(), [entry.subject_id], 'http://x')

  t.same(others, [])
  t.hasStrict(subject, {
    title: 'shop@4',
    url: `http://x/projects/${project.id}/releases/shop%404`,
    environments: ['live'],
    facts: [
      ['Crash-free sessions', '97.0 %'],
      ['Sessions', '100'],
      ['Environments', 'live']
    ]
  })
})

t.test('an error without an owner is reported once, unless it has an assignee', async t => {
  const { project, send, platform, count, ...world } = await openProject(t)
  const kinds = async () => (await platform.pool.query(`SELECT kind FROM outbox WHERE kind <> 'error.new' ORDER BY id`)).rows

  await aWebhookRule({ ...world, platform }, project.id, url, ['error.unseen'], { unseenHours: 2 })
  await send(anEnvelope(anException()))
  await eventually(async () => (await count()) === 1, 'an event')
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

  await evaluateConditions(platform.fork(), inHours(1))
  t.same(await kinds(), [])
  await platform.pool.query(`UPDATE error_groups SET assignee_id = (SELECT id FROM users WHERE username = 'root')`)
  await evaluateConditions(platform.fork(), inHours(3))
  t.same(await kinds(), [])
  await platform.pool.query('UPDATE error_groups SET assignee_id = NULL')
  await evaluateConditions(platform.fork(), inHours(3))
  await evaluateConditions(platform.fork(), inHours(4))
  t.same(await kinds(), [{ kind: 'error.unseen' }])
})

t.test('an archived project reports nothing', async t => {
  const { project, send, platform, count, call, ...world } = await openProject(t)

  await aWebhookRule({ ...world, platform }, project.id, url, ['error.unseen'], { unseenHours: 2 })
  await send(anEnvelope(anException()))
  await eventually(async () => (await count()) === 1, 'an event')
  await platform.pool.query('DELETE FROM outbox')
  const evaluate = async () => {
    await evaluateConditions(platform.fork(), new Date(Date.now() + 3 * 3_600_000))

    return (await platform.pool.query('SELECT kind FROM outbox')).rows
  }

  t.equal((await call('POST', `/projects/${project.id}/archive`)).status, 201)
  t.same(await evaluate(), [])
  await call('POST', `/projects/${project.id}/unarchive`)
  t.same(await evaluate(), [{ kind: 'error.unseen' }])
})

t.test('an hour with far more events than the hours before is a spike', async t => {
  const { project, send, platform, count, ...world } = await openProject(t)
  const kinds = async () => (await platform.pool.query(`SELECT kind, data FROM outbox WHERE kind <> 'error.new' ORDER BY id`)).rows

  await aWebhookRule({ ...world, platform }, project.id, url, ['error.spike'])
  await send(anEnvelope(anException()))
  await eventually(async () => (await count()) === 1, 'an event')
  const { rows } = await platform.pool.query('SELECT hour FROM error_hourly_counts')
  const at = rows[0].hour as Date

  await platform.pool.query(
    `INSERT INTO error_hourly_counts SELECT project_id, group_id, hour - interval '3 hours', 10 FROM error_hourly_counts`
  )
  await platform.pool.query('UPDATE error_hourly_counts SET events = 30 WHERE hour = $1', [at])
  await evaluateConditions(platform.fork(), at)
  t.same(await kinds(), [])
  await platform.pool.query('UPDATE error_hourly_counts SET events = 31 WHERE hour = $1', [at])
  await evaluateConditions(platform.fork(), at)
  await evaluateConditions(platform.fork(), at)
  t.same(await kinds(), [{ kind: 'error.spike', data: { events: 31, minutes: 60 } }])
})
