import t from 'tap'
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
