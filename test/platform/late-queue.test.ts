import pg from 'pg'
import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { anEnvelope, anEventId, anException } from '../support/factories.ts'
import { eventually, rootToken } from '../support/world.ts'
import { openRedis, redisProgram } from './redis.ts'

const rounds = 50
const backends = [
  { kind: 'postgres', skip: false },
  { kind: 'redis', skip: redisProgram ? false : 'neither redis-server nor valkey-server is on the PATH' }
] as const

for (const { kind, skip } of backends) {
  t.test(`items whose request timed out are counted once, however clients retry (${kind})`, { skip }, async t => {
    const redis = kind === 'redis' ? await openRedis(t) : undefined
    const { app, call, project, alerts, work, send, config, platform } = await openAlertedProject(t, {
      kind,
      env: { QUEUE_TIMEOUT_MS: '100', ...(redis && { REDIS_URL: redis.url }) }
    })
    const path = `/projects/${project.id}/error_tracking`
    const client = new pg.Client(config.databaseUrl)

    await call('PUT', `${path}/settings`, { active: true, integrated: true })
    const { body: key } = await call('POST', `${path}/client_keys`)
    await work('errors')
    await work('activity')
    await client.connect()
    t.teardown(() => client.end())

    const interrupt = async () => {
      redis?.stop()
      await client.query(redis ? 'SELECT' : `BEGIN; LOCK TABLE "${config.namespace}_queue".job IN ACCESS EXCLUSIVE MODE`)
    }
    const resume = async () => {
      redis?.resume()
      await client.query(redis ? 'SELECT' : 'COMMIT')
    }
    const sendEvent = (id: string) =>
      app.inject({
        method: 'POST',
        url: `/api/${project.id}/envelope/?sentry_key=${key.public_key}`,
        payload: anEnvelope({ ...anException(), event_id: id })
      })
    const record = (title: string) =>
      app.inject({
        method: 'POST',
        url: `/api/v4/projects/${project.id}/events`,
        headers: { 'private-token': rootToken },
        payload: { action: 'closed', target_type: 'issue', target_title: title }
      })
    const isTaken = async (request: Promise<{ statusCode: number }>) => (await request).statusCode < 300

    for (let n = 0; n < rounds; n++) {
      const eventId = anEventId()
      const alert = { title: 'Slow', fingerprint: 'slow', n }

      await interrupt()
      const [event, alerted, recorded] = await Promise.all([sendEvent(eventId), send(alert), record(eventId)])

      t.equal(event.statusCode, 503)
      t.equal(alerted.statusCode, 503)
      t.equal(recorded.statusCode, 503)
      await resume()
      await eventually(() => isTaken(sendEvent(eventId)), 'the event is accepted')
      await eventually(() => isTaken(send(alert)), 'the alert is accepted')
      await eventually(() => isTaken(record(eventId)), 'the activity is accepted')
      // Workers enqueue, too: one that timed out would open the circuit before the next requests.
      await eventually(async () => {
        const names = ['errors', 'alerts', 'activity'].flatMap(name => platform.queues.namesOf(name))
        const counts = await Promise.all(
          names.map(name => platform.queues.get(name).getJobCountByTypes('wait', 'prioritized', 'active', 'delayed'))
        )

        return counts.every(count => count === 0)
      }, 'the queues are empty')
    }
    await app.close()
    const { rows: events } = await platform.pool.query('SELECT count(*)::int AS count FROM error_events')
    const { rows: drops } = await platform.pool.query('SELECT DISTINCT reason FROM error_dropped_counts WHERE reason <> $1', [
      'unavailable'
    ])

    const { rows: activity } = await platform.pool.query(`SELECT count(*)::int AS count FROM activity_events WHERE action = 'closed'`)

    t.equal(events[0].count, rounds)
    t.equal(activity[0].count, rounds)
    t.same(
      (await alerts()).map(({ events }) => events),
      [rounds]
    )
    t.same(drops, [], 'no retry is counted as a duplicate')
  })
}
