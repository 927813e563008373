import t, { type Test } from 'tap'
import { dispatchOutbox } from '#notifications/deliveries/jobs.ts'
import { addWebhookEvent } from '#outbox/outbox-store.ts'
import { openReceiver } from '../../notifications/receiver.ts'
import { eventually, onBothBackends, openApp, type QueueKind } from '../../support/world.ts'

async function openWorld(t: Test, kind: QueueKind, env: Record<string, string> = {}) {
  const world = await openApp(t, { kind, env })
  const { call, platform } = world

  return {
    ...world,
    dispatch: () => platform.queues.enqueue(dispatchOutbox, {}),
    /** A project with an issue, and what makes many events about it. */
    openProject: async (name: string) => {
      const { body: project } = await call('POST', '/projects', { name })
      const { body: issue } = await call('POST', `/projects/${project.id}/issues`, { title: name })

      return {
        issue,
        hooks: `/projects/${project.id}/hooks`,
        happen: (times: number) =>
          platform.fork().transactional(async em => {
            const data = { issueId: issue.id, action: 'update' }

            for (let n = 0; n < times; n++) await addWebhookEvent(em, { kind: 'issue', projectId: project.id, data })
          })
      }
    },
    statuses: async () => {
      const { rows } = await platform.pool.query('SELECT status, count(*)::int AS n FROM webhook_deliveries GROUP BY status')

      return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
    }
  }
}

/** A receiver that answers nothing until it is opened, and counts what it holds. */
async function openSlowReceiver(t: Test) {
  const gate = Promise.withResolvers<void>()
  const held = { now: 0, most: 0, answered: 0 }
  const receiver = await openReceiver(t)

  receiver.onRequest = async () => {
    held.now++
    held.most = Math.max(held.most, held.now)
    await gate.promise
    held.now--
    held.answered++
  }
  t.teardown(() => gate.resolve())

  return { receiver, held, open: () => gate.resolve() }
}

onBothBackends(t, 'slow receivers of one project hold up no other project, and lose nothing', async (t, kind) => {
  const { call, work, dispatch, openProject, statuses } = await openWorld(t, kind)
  const [slow, fast] = [await openProject('Slow'), await openProject('Fast')]
  const { receiver, held, open } = await openSlowReceiver(t)
  const [one, two] = [await openSlowReceiver(t), await openSlowReceiver(t)]
  const quick = await openReceiver(t)

  for (const { url } of [receiver, one.receiver, two.receiver]) await call('POST', slow.hooks, { url, issues_events: true })
  await call('POST', fast.hooks, { url: quick.url, issues_events: true })
  await slow.happen(20)
  await work('deliveries', undefined, { concurrency: 10 })
  await dispatch()
  await eventually(() => held.now + one.held.now + two.held.now === 4, 'the slow ones are being sent')
  await fast.happen(5)
  await dispatch()
  await eventually(() => quick.requests.length === 5, 'the other project')
  t.same([held.answered, one.held.answered, two.held.answered], [0, 0, 0], 'before any slow one is answered')
  for (const slow of [{ open }, one, two]) slow.open()
  await eventually(async () => (await statuses()).sent === 65, 'all were sent')
  t.same([receiver.requests.length, one.receiver.requests.length, two.receiver.requests.length], [20, 20, 20], 'once each')
  t.same(
    [held.most, one.held.most, two.held.most].every(most => most <= 2),
    true,
    'two at a time for each'
  )
})

onBothBackends(t, 'a webhook has a limit for each minute, beyond which requests wait and tests are refused', async (t, kind) => {
  const { call, platform, work, dispatch, openProject, statuses } = await openWorld(t, kind, { RATE_LIMIT_WEBHOOK: '3' })
  const { hooks, happen } = await openProject('Shop')
  const receiver = await openReceiver(t)
  const { body: hook } = await call('POST', hooks, { url: receiver.url, issues_events: true })
  // A minute that does not end during the test.
  const begin = (calls: number) => platform.pool.query(`UPDATE webhooks SET calls = $1, calls_minute = now() + interval '1 hour'`, [calls])

  await begin(0)
  await happen(7)
  await work('deliveries')
  await dispatch()
  await eventually(async () => (await statuses()).sent === 3, 'three')
  await dispatch()
  t.equal((await call('POST', `${hooks}/${hook.id}/test/issues_events`)).status, 429)
  const [sent] = (await call('GET', `${hooks}/${hook.id}/events?status=200`)).body

  t.equal((await call('POST', `${hooks}/${hook.id}/events/${sent.id}/resend`)).status, 429)
  t.same(await statuses(), { sent: 3, waiting: 4 })
  t.equal(receiver.requests.length, 3)
  for (const total of [6, 7]) {
    await begin(0)
    await platform.pool.query(`UPDATE webhook_deliveries SET send_at = now() WHERE status = 'waiting'`)
    await dispatch()
    await eventually(async () => (await statuses()).sent === total, `${total}`)
  }
  t.equal(receiver.requests.length, 7)
  t.equal((await call('POST', `${hooks}/${hook.id}/test/issues_events`)).status, 201)
})

onBothBackends(t, 'the requests that wait for a webhook are bounded, and further ones can be sent again', async (t, kind) => {
  const { call, work, dispatch, openProject, statuses } = await openWorld(t, kind, { WEBHOOK_QUEUE_LIMIT: '3' })
  const { hooks, happen } = await openProject('Shop')
  const { receiver, open } = await openSlowReceiver(t)
  const { body: hook } = await call('POST', hooks, { url: receiver.url, issues_events: true })

  await happen(5)
  await work('deliveries')
  await dispatch()
  await eventually(() => receiver.requests.length === 2, 'two are being sent')
  t.same(await statuses(), { sending: 2, waiting: 1, failed: 2 })
  open()
  await eventually(async () => (await statuses()).sent === 3, 'those that waited')
  const { body: refused } = await call('GET', `${hooks}/${hook.id}/events?status=internal_error`)

  t.equal(refused.length, 2)
  t.equal(refused[0].response_body, 'Not sent: 3 requests were waiting already.')
  t.equal((await call('POST', `${hooks}/${hook.id}/events/${refused[0].id}/resend`)).status, 201)
})

onBothBackends(t, 'requests that wait although none is being sent are found', async (t, kind) => {
  const { call, platform, work, dispatch, openProject, statuses } = await openWorld(t, kind)
  const { hooks, happen } = await openProject('Shop')
  const receiver = await openReceiver(t)

  await call('POST', hooks, { url: receiver.url, issues_events: true })
  await happen(3)
  await work('deliveries')
  await platform.pool.query(`UPDATE webhooks SET disabled_until = now() + interval '1 hour'`)
  await dispatch()
  await eventually(async () => (await statuses()).waiting === 3, 'they wait for the pause')
  await platform.pool.query('UPDATE webhooks SET disabled_until = NULL')
  await platform.pool.query('UPDATE webhook_deliveries SET send_at = now()')
  await dispatch()
  await eventually(async () => (await statuses()).sent === 3, 'they are sent')
})

t.test('tests of webhooks count with those of channels', async t => {
  const { call, openProject } = await openWorld(t, 'postgres', { RATE_LIMIT_TOKENS: '2' })
  const { hooks } = await openProject('Shop')
  const receiver = await openReceiver(t)
  const { body: hook } = await call('POST', hooks, { url: receiver.url })
  const test = async () => (await call('POST', `${hooks}/${hook.id}/test/issues_events`)).status

  t.same([await test(), await test(), await test()], [201, 201, 429])
})
