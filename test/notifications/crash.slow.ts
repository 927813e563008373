import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { addRuleEntries } from '#outbox/outbox-store.ts'
import { startChild } from '../support/children.ts'
import { eventually, onBothBackends, openApp, type World } from '../support/world.ts'
import { aWebhookRule } from './receiver.ts'

const deliveries = 1000
const concurrency = 10
const patienceMs = 240_000
const killsAfter = [100, 300, 500, 700]
const env = { OUTBOUND_PRIVATE_NETWORKS: 'true' }

onBothBackends(t, 'workers that are killed lose no delivery, and repeat only what they had not recorded', async (t, kind) => {
  const { call, platform, config, work } = await openApp(t, { kind, env })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const receiver = await openSlowReceiver(t)
  const { pool } = platform
  /** A delivery whose worker died twice, the second time while it did nothing else, is not tried again by itself. */
  const suspects = async () =>
    (await pool.query(`SELECT FROM notification_deliveries WHERE status = 'failed' AND answer LIKE '%internal error%'`)).rows.length
  const recorded = async () =>
    (await pool.query(`SELECT id::int FROM notification_deliveries WHERE status = 'sent'`)).rows.map(({ id }) => id)

  await aWebhookRule({ platform, config, work }, project.id, receiver.url, ['alert.triggered'], {
    hourlyLimit: 10 * deliveries,
    gatherMinutes: 0
  })
  await openAlerts(platform, project.id)

  for (const count of killsAfter) {
    const worker = startChild(t, { config }, ['workers/main.ts', 'deliveries'], { ...env, DELIVERIES_CONCURRENCY: String(concurrency) })

    await eventually(() => receiver.messages.size >= count, `${count} messages`, patienceMs)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    receiver.finish(await recorded())
  }
  startChild(t, { config }, ['workers/main.ts', 'deliveries'], env)
  await eventually(
    async () => {
      // Recovers what was lost between the commit and the queue; otherwise, a schedule does it after a minute.
      await pool.query(
        `UPDATE notification_deliveries SET send_at = send_at - interval '2 minutes' WHERE status IN ('pending', 'sending', 'retrying')`
      )
      await sleep(500)

      return (await recorded()).length + (await suspects()) === deliveries
    },
    'all are sent',
    patienceMs
  )
  const repeated = [...receiver.messages.values()].filter(bodies => bodies.length > 1)

  t.equal(receiver.messages.size, deliveries, 'each arrived')
  t.ok((await suspects()) <= killsAfter.length, 'at most one a kill is suspected of it')
  t.same(receiver.needless, [], 'what was recorded as sent is not sent again')
  t.ok(repeated.length <= killsAfter.length * concurrency, `${repeated.length} were repeated`)
  t.ok(
    repeated.every(bodies => new Set(bodies).size === 1),
    'with the same id and content'
  )
})

/** Opens one alert for each delivery, and writes them to the outbox. */
async function openAlerts({ fork, pool }: World['platform'], projectId: number) {
  const { rows } = await pool.query(
    `INSERT INTO alerts (project_id, kind, payload, iid, title, status, severity, started_at, created_at, updated_at)
     SELECT $1, 'generic', '{}', n, 'Alert ' || n, 'triggered', 'high', now(), now(), now() FROM generate_series(1, $2::int) n RETURNING id::int`,
    [projectId, deliveries]
  )

  await fork().transactional(em =>
    addRuleEntries(
      em,
      rows.map(({ id }) => ({ kind: 'alert.triggered', projectId, subjectId: id }))
    )
  )
}

/** Answers after a while, so that a killed worker has requests in flight. */
async function openSlowReceiver(t: Test) {
  const messages = new Map<string, string[]>()
  const finished = new Set<string>()
  const needless: string[] = []
  const server = createServer(async (request, response) => {
    const id = String(request.headers['webhook-id'])
    const chunks: Buffer[] = []

    for await (const chunk of request) chunks.push(chunk as Buffer)
    messages.set(id, [...(messages.get(id) ?? []), Buffer.concat(chunks).toString()])
    if (finished.has(id)) needless.push(id)
    setTimeout(() => response.end(), 20)
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    messages,
    needless,
    /** From now on, these deliveries must not arrive again. */
    finish(ids: number[]) {
      for (const id of ids) finished.add(`notification-${id}`)
    }
  }
}
