import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { addWebhookEvent } from '#outbox/outbox-store.ts'
import { startChild } from '../../support/children.ts'
import { eventually, onBothBackends, openApp } from '../../support/world.ts'

const deliveries = 300
const concurrency = 10
const killsAfter = [50, 150]
const patienceMs = 180_000
const env = { OUTBOUND_PRIVATE_NETWORKS: 'true' }

onBothBackends(t, 'workers that are killed lose no request to a webhook, and repeat only what they had not recorded', async (t, kind) => {
  const { call, platform, config } = await openApp(t, { kind, env })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: issue } = await call('POST', `/projects/${project.id}/issues`, { title: 'A' })
  const receiver = await openSlowReceiver(t)
  const recorded = async () =>
    (await platform.pool.query(`SELECT uuid FROM webhook_deliveries WHERE status = 'sent'`)).rows.map(({ uuid }) => uuid as string)

  await call('POST', `/projects/${project.id}/hooks`, { url: receiver.url, issues_events: true })
  await platform.fork().transactional(async em => {
    for (let n = 0; n < deliveries; n++) {
      await addWebhookEvent(em, { kind: 'issue', projectId: project.id, data: { issueId: issue.id, action: 'update' }, key: `test-${n}` })
    }
  })
  for (const count of killsAfter) {
    const worker = startChild(t, { config }, ['workers/main.ts', 'deliveries'], { ...env, DELIVERIES_CONCURRENCY: String(concurrency) })

    await eventually(() => receiver.requests.size >= count, `${count} requests`, patienceMs)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    receiver.finish(await recorded())
  }
  startChild(t, { config }, ['workers/main.ts', 'deliveries'], env)
  await eventually(
    async () => {
      // Recovers what was lost between the commit and the queue; otherwise, a schedule does it after a minute.
      await platform.pool.query(
        `UPDATE webhook_deliveries SET send_at = send_at - interval '2 minutes' WHERE status IN ('pending', 'sending')`
      )
      await sleep(500)

      return (await recorded()).length === deliveries
    },
    'all are sent',
    patienceMs
  )
  const repeated = [...receiver.requests.values()].filter(bodies => bodies.length > 1)

  t.equal(receiver.requests.size, deliveries, 'each arrived')
  t.same(receiver.needless, [], 'what was recorded as sent is not sent again')
  t.ok(repeated.length <= killsAfter.length * concurrency, `${repeated.length} were repeated`)
  t.ok(
    repeated.every(bodies => new Set(bodies).size === 1),
    'with the same key and content'
  )
})

/** Answers after a while, so that a killed worker has requests in flight. */
async function openSlowReceiver(t: Test) {
  const requests = new Map<string, string[]>()
  const finished = new Set<string>()
  const needless: string[] = []
  const server = createServer(async (request, response) => {
    const key = String(request.headers['idempotency-key'])
    let text = ''

    for await (const chunk of request) text += chunk
    if (finished.has(key)) needless.push(key)
    requests.set(key, [...(requests.get(key) ?? []), text])
    await sleep(20)
    response.end()
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    needless,
    finish: (keys: string[]) => {
      for (const key of keys) finished.add(key)
    }
  }
}
