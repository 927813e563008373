import t, { type Test } from 'tap'
import { dispatchOutbox } from '#notifications/deliveries/jobs.ts'
import { anItem, aWebhook, openAlertedProject } from '../../alerts/alerting.ts'
import { openReceiver } from '../../notifications/receiver.ts'
import { eventually, onBothBackends, type QueueKind, rootToken } from '../../support/world.ts'

const refused = 'Not sent: this webhook was sent an event that led to this one.'

async function openWorld(t: Test, kind: QueueKind = 'postgres') {
  const env = { REPOSITORY_STORAGES: `default:${t.testdir()}` }
  const world = await openAlertedProject(t, { kind, env })
  const { app, call, platform, project, work } = world
  const hooks = `/projects/${project.id}/hooks`

  await platform.pool.query('INSERT INTO alert_settings (project_id, creates_incidents) VALUES ($1, true)', [project.id])
  for (const queue of ['deliveries', 'activity', 'incidents']) await work(queue)

  return {
    ...world,
    hooks,
    issues: `/projects/${project.id}/issues`,
    commits: `/projects/${project.id}/repository/commits`,
    aHook: async (flags: object) => {
      const receiver = await openReceiver(t)
      const { body: hook } = await call('POST', hooks, { url: receiver.url, push_events: false, ...flags })

      return { receiver, id: hook.id as number }
    },
    /** As a script calls the API. */
    post: (path: string, payload: object, chain?: unknown, method: 'POST' | 'PUT' = 'POST') => {
      const headers = { 'private-token': rootToken, ...(typeof chain === 'string' && { 'x-gitlab-event-uuid': chain }) }

      return app.inject({ method, url: `/api/v4${path}`, payload, headers })
    },
    /** Answers to what a webhook was not sent. */
    refusals: (id: number, number: number) =>
      eventually(async () => {
        await platform.queues.enqueue(dispatchOutbox, {})
        const { body } = await call('GET', `${hooks}/${id}/events?status=internal_error`)

        return body.length === number && body.map((event: { response_body: string }) => event.response_body)
      }, `${number} refusals`)
  }
}

onBothBackends(t, 'a webhook whose receiver causes the next event itself is sent a chain once', async (t, kind) => {
  const { issues, commits, aHook, post, send, refusals } = await openWorld(t, kind)
  const { receiver, id } = await aHook({ issues_events: true, push_events: true })
  const chains: unknown[] = []
  const actions = [{ action: 'create', file_path: 'a', content: 'a' }]

  receiver.onRequest = async ({ headers }) => {
    const chain = headers['x-gitlab-event-uuid']

    if (chains.push(chain) > 1) return
    await post(issues, { title: 'By an issue' }, chain)
    await post(commits, { branch: 'main', commit_message: 'By an issue', actions }, chain)
    await send(aWebhook([anItem()]), { 'x-gitlab-event-uuid': String(chain) })
  }
  await post(issues, { title: 'First' })
  t.same(await refusals(id, 3), [refused, refused, refused], 'by a request, by a job, and by an alert')
  t.equal(receiver.requests.length, 1)
  await post(issues, { title: 'Second' })
  await eventually(() => receiver.requests.length === 2, 'what begins by itself is sent')
  await post(issues, { title: 'Third' }, 'not a UUID')
  await eventually(() => receiver.requests.length === 3, 'a header of another form counts for nothing')
  t.equal(new Set(chains).size, 3)
})

onBothBackends(t, 'two webhooks that cause each other stop after one turn, and what was refused can be sent again', async (t, kind) => {
  const { call, hooks, issues, aHook, post, refusals } = await openWorld(t, kind)
  const [one, two] = [await aHook({ issues_events: true }), await aHook({ note_events: true })]
  const chainOf = (headers: object) => (headers as Record<string, unknown>)['x-gitlab-event-uuid']

  one.receiver.onRequest = async ({ headers, body }) => {
    await post(`${issues}/${body.object_attributes.iid}/notes`, { body: 'A note' }, chainOf(headers))
  }
  two.receiver.onRequest = async ({ headers }) => {
    await post(issues, { title: 'By a note' }, chainOf(headers))
  }
  await post(issues, { title: 'First' })
  t.same(await refusals(one.id, 1), [refused])
  t.same([one.receiver.requests.length, two.receiver.requests.length], [1, 1])
  t.equal(chainOf(one.receiver.requests[0]!.headers), chainOf(two.receiver.requests[0]!.headers), 'one UUID for the chain')
  one.receiver.onRequest = async () => {}
  const [event] = (await call('GET', `${hooks}/${one.id}/events?status=internal_error`)).body

  t.equal((await call('POST', `${hooks}/${one.id}/events/${event.id}/resend`)).status, 201)
  t.equal(one.receiver.requests[1]!.body.object_attributes.title, 'By a note')
})

t.test('several events of one request are sent all, and a chain ends after a hundred webhooks', async t => {
  const { call, platform, project, issues, aHook, post, refusals } = await openWorld(t)
  const { receiver, id } = await aHook({ issues_events: true, note_events: true })
  const chain = crypto.randomUUID()
  const { body: issue } = await call('POST', issues, { title: 'First' })

  await eventually(() => receiver.requests.length === 1, 'the issue')
  await post(`${issues}/${issue.iid}`, { title: 'Changed', state_event: 'close' }, chain, 'PUT')
  await eventually(() => receiver.requests.length === 3, 'the change and the end')
  const long = crypto.randomUUID()

  await platform.pool.query(
    `WITH added AS (INSERT INTO webhooks (project_id, url) SELECT $1::bigint, 'https://a.example' FROM generate_series(1, 100) RETURNING id)
     INSERT INTO webhook_deliveries (webhook_id, event_uuid, event_name, trigger, payload, status)
     SELECT id, $2::uuid, 'Push Hook', 'push_hooks', '{}', 'sent' FROM added`,
    [project.id, long]
  )
  await post(issues, { title: 'Far down' }, long)
  t.same(await refusals(id, 1), ['Not sent: the events that led to this one were sent to too many webhooks.'])
  t.equal(receiver.requests.length, 3)
})
