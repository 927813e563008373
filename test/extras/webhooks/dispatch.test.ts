import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { dispatchWebhookEvents } from '#extras/webhooks/dispatch-webhook-events.ts'
import { dispatchOutbox } from '#notifications/deliveries/jobs.ts'
import { addWebhookEvent } from '#outbox/outbox-store.ts'
import { openReceiver } from '../../notifications/receiver.ts'
import { eventually, onBothBackends, openApp, type QueueKind } from '../../support/world.ts'

async function openWorld(t: Test, kind: QueueKind = 'postgres') {
  const env = { REPOSITORY_STORAGES: `default:${t.testdir()}` }
  const world = await openApp(t, { kind, env })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })

  return { ...world, project, hooks: `/projects/${project.id}/hooks`, issues: `/projects/${project.id}/issues` }
}

onBothBackends(t, 'an event that fails holds up no other, and is sent once it can be', async (t, kind) => {
  const { call, platform, project, hooks, issues, work } = await openWorld(t, kind)
  const receiver = await openReceiver(t)
  const em = platform.fork()
  const titles = () => receiver.requests.map(({ body }) => body.object_attributes?.title ?? body.object_kind).sort()

  const { body: first } = await call('POST', issues, { title: 'A' })
  await call('POST', hooks, { url: receiver.url, issues_events: true })
  await addWebhookEvent(em, { kind: 'issue', projectId: project.id, data: { issueId: 'none', action: 'open' } })
  const ref = `refs/heads/${randomBytes(2000).toString('hex')}`
  const change = { ref, before: '1'.repeat(40), after: '0'.repeat(40) }

  await addWebhookEvent(em, { kind: 'push', projectId: project.id, data: { changes: [change], shown: [change] } })
  await call('POST', issues, { title: 'B' })
  await work('deliveries')
  await platform.queues.enqueue(dispatchOutbox, {})
  await eventually(() => receiver.requests.length === 2, 'the others')
  t.same(titles(), ['B', 'push'])
  const { rows } = await platform.pool.query(`SELECT failures, failure, retry_at > now() AS waits FROM outbox WHERE failures > 0`)

  t.equal(rows.length, 1)
  t.same([rows[0].failures, rows[0].waits], [1, true])
  t.match(rows[0].failure, /invalid input syntax/i)
  await platform.pool.query(`UPDATE outbox SET data = $1, retry_at = now() WHERE failures > 0`, [
    JSON.stringify({ issueId: first.id, action: 'open' })
  ])
  await platform.queues.enqueue(dispatchOutbox, {})
  await eventually(() => receiver.requests.length === 3, 'the event that failed')
  t.same(titles(), ['A', 'B', 'push'])
})

t.test('an event that always fails is set aside', async t => {
  const { call, platform, config, project, hooks } = await openWorld(t)
  const deps = { baseUrl: config.baseUrl, maxWaiting: 100, git: platform.git, log: platform.log, extras: platform.extras }

  await call('POST', hooks, { url: 'https://a.example', issues_events: true })
  await addWebhookEvent(platform.fork(), { kind: 'issue', projectId: project.id, data: { issueId: 'none', action: 'open' } })
  for (let n = 1; n <= 12; n++) {
    await dispatchWebhookEvents(platform.fork(), deps, new Date())
    await platform.pool.query('UPDATE outbox SET retry_at = now()')
  }
  t.same((await platform.pool.query(`SELECT failures, ended_at IS NOT NULL AS "isDone" FROM outbox WHERE consumer = 'webhooks'`)).rows, [
    { failures: 10, isDone: true }
  ])
})

t.test('a webhook that is deleted while an event is dispatched hears nothing, and stops no other', async t => {
  const { call, platform, config, hooks, issues } = await openWorld(t)
  const { body: gone } = await call('POST', hooks, { url: 'https://a.example', issues_events: true })
  const { body: kept } = await call('POST', hooks, { url: 'https://b.example', issues_events: true })

  await call('POST', issues, { title: 'A' })
  const client = await platform.pool.connect()

  await client.query('BEGIN')
  await client.query('DELETE FROM webhooks WHERE id = $1', [gone.id])
  const deps = { baseUrl: config.baseUrl, maxWaiting: 100, git: platform.git, log: platform.log, extras: platform.extras }
  const dispatching = dispatchWebhookEvents(platform.fork(), deps, new Date())

  await eventually(async () => {
    const { rows } = await platform.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')

    return rows.length > 0
  }, 'the dispatch waits for the deletion')
  await client.query('COMMIT')
  client.release()
  await dispatching
  const { rows } = await platform.pool.query('SELECT webhook_id AS id FROM webhook_deliveries')

  t.same(
    rows.map(({ id }) => id),
    [kept.id]
  )
  t.same((await platform.pool.query(`SELECT failures FROM outbox WHERE consumer = 'webhooks'`)).rows, [{ failures: 0 }])
})

onBothBackends(t, 'a webhook that is deleted while it answers or while requests wait causes no failure', async (t, kind) => {
  const { call, platform, hooks, issues, work } = await openWorld(t, kind)
  const receiver = await openReceiver(t)
  const { body: hook } = await call('POST', hooks, { url: receiver.url, issues_events: true })
  const other = await openReceiver(t)

  receiver.onRequest = async () => {
    await call('DELETE', `${hooks}/${hook.id}`)
  }
  for (const title of ['A', 'B', 'C', 'D', 'E']) await call('POST', issues, { title })
  await work('deliveries')
  await platform.queues.enqueue(dispatchOutbox, {})
  await eventually(async () => (await call('GET', `${hooks}/${hook.id}`)).status === 404, 'the deletion')
  await call('POST', hooks, { url: other.url, issues_events: true })
  await call('POST', issues, { title: 'F' })
  await eventually(() => other.requests.length === 1, 'the next webhook is sent its event')
  const queue = platform.queues.get('deliveries')

  await eventually(
    async () => (await queue.getJobCounts('active', 'waiting', 'prioritized').then(Object.values)).every(n => n === 0),
    'idle'
  )
  t.equal((await queue.getJobCounts('failed', 'delayed')).failed, 0)
  t.equal((await platform.pool.query('SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1', [hook.id])).rows.length, 0)
})

t.test('a webhook that is deleted while it is tested is no error', async t => {
  const { call, hooks, issues } = await openWorld(t)
  const receiver = await openReceiver(t)
  const { body: hook } = await call('POST', hooks, { url: receiver.url, issues_events: true })

  receiver.onRequest = async () => {
    await call('DELETE', `${hooks}/${hook.id}`)
  }
  await call('POST', issues, { title: 'A' })
  t.equal((await call('POST', `${hooks}/${hook.id}/test/issues_events`)).status, 201)
})
