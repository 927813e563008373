import pg from 'pg'
import t, { type Test } from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { anEnvelope } from '../support/factories.ts'
import { eventually, onBothBackends, type QueueKind, rootToken } from '../support/world.ts'

/** An intake of each kind, and a database whose tables can be made not to answer. */
async function openFreezer(t: Test, kind: QueueKind) {
  const world = await openAlertedProject(t, { kind, env: { QUEUE_TIMEOUT_MS: '500' } })
  const { app, call, config, project } = world
  const path = `/projects/${project.id}`
  const client = new pg.Client(config.databaseUrl)

  await call('PUT', `${path}/error_tracking/settings`, { active: true, integrated: true })
  const { body: key } = await call('POST', `${path}/error_tracking/client_keys`)

  await client.connect()
  t.teardown(() => client.end())

  return {
    ...world,
    record: (title: string, headers = {}) =>
      app.inject({
        method: 'POST',
        url: `/api/v4${path}/events`,
        headers: { 'private-token': rootToken, ...headers },
        payload: { action: 'closed', target_type: 'issue', target_title: title }
      }),
    sendEvent: () =>
      app.inject({ method: 'POST', url: `/api/${project.id}/envelope/?sentry_key=${key.public_key}`, payload: anEnvelope() }),
    /** The titles of the events that were recorded. */
    recorded: async () => {
      const { rows } = await client.query(`SELECT target_title AS title FROM "${config.namespace}".activity_events WHERE action = 'closed'`)

      return rows.map(({ title }) => title as string)
    },
    whileFrozen: async <T>(table: string, run: () => Promise<T>) => {
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      try {
        return await run()
      } finally {
        await client.query('COMMIT')
      }
    }
  }
}

const refusal = { statusCode: 503, headers: { 'retry-after': '5' } }

onBothBackends(
  t,
  'activity that the database keeps waiting is refused in time, and recorded once however it is retried',
  async (t, kind) => {
    const { config, record, recorded, whileFrozen, work, platform } = await openFreezer(t, kind)
    const { namespace } = config
    const tables = [`"${namespace}".access_tokens`, `"${namespace}".projects`, ...(kind === 'postgres' ? [`"${namespace}_queue".job`] : [])]

    for (const table of tables) {
      t.hasStrict(await whileFrozen(table, () => record(table)), refusal, table)
      await eventually(async () => (await record(table)).statusCode === 202, 'the retry is accepted')
    }
    await work('activity')
    await eventually(async () => (await recorded()).length >= tables.length, 'all are recorded')
    await eventually(
      async () => (await platform.queues.get('activity').getJobCountByTypes('wait', 'prioritized', 'active', 'delayed')) === 0,
      'the queue is empty'
    )
    t.same((await recorded()).toSorted(), tables.toSorted())
  }
)

t.test('errors and alerts of senders that are not cached are refused in time', async t => {
  const { config, sendEvent, send, whileFrozen } = await openFreezer(t, 'postgres')

  t.hasStrict(await whileFrozen(`"${config.namespace}".client_keys`, sendEvent), refusal)
  t.hasStrict(await whileFrozen(`"${config.namespace}".alert_integrations`, () => send({ title: 'Down' })), refusal)
  await eventually(async () => (await sendEvent()).statusCode === 200, 'errors are accepted again')
  await eventually(async () => (await send({ title: 'Down' })).statusCode < 300, 'alerts are accepted again')
})

t.test('requests to record activity with the same Idempotency-Key are recorded once', async t => {
  const { record, recorded, work } = await openFreezer(t, 'postgres')
  const key = { 'idempotency-key': 'one' }

  for (const title of ['retried', 'retried']) t.equal((await record(title, key)).statusCode, 202)
  t.equal((await record('other', { 'idempotency-key': 'x'.repeat(256) })).statusCode, 400)
  await record('last')
  await work('activity')
  await eventually(async () => (await recorded()).includes('last'), 'all are recorded')

  t.same((await recorded()).toSorted(), ['last', 'retried'])
})
