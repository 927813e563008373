import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends, type QueueKind } from '../support/world.ts'

const now = () => new Date().toISOString()
const anItem = (type: string, payload: object | string, header: object = {}) =>
  `${JSON.stringify({ type, ...header })}\n${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n`

function aSession(more: object = {}) {
  return {
    sid: crypto.randomUUID(),
    init: true,
    started: now(),
    timestamp: now(),
    status: 'ok',
    attrs: { release: 'shop@1.0.0', environment: 'test' },
    ...more
  }
}

/** A project with the means to look into what was counted. */
async function aCountingProject(t: Parameters<typeof openProject>[0], options: { kind?: QueueKind } = {}) {
  const project = await openProject(t, options)
  const rows = async (table: string, columns: string) =>
    (await project.platform.pool.query(`SELECT ${columns} FROM ${table} WHERE project_id = $1 ORDER BY 1, 2`, [project.project.id])).rows
  /** Resolves when everything sent so far is processed. */
  const settled = () =>
    eventually(
      async () => (await project.platform.queues.get('errors').getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed')) === 0,
      'all jobs are done'
    )

  return { ...project, rows, settled }
}

onBothBackends(t, 'a session is counted once, by how it went', async (t, kind) => {
  const { send, rows, settled } = await aCountingProject(t, { kind })
  const healthy = aSession()
  const crashed = aSession({ seq: 0 })
  const errored = aSession({ errors: 2, status: 'exited' })
  const unhandled = aSession({ status: 'unhandled' })

  await send(`{}\n${[healthy, crashed, errored, unhandled].map(session => anItem('session', session)).join('')}`)
  await settled()
  await send(`{}\n${anItem('session', { ...healthy, init: false, status: 'exited', seq: 2 })}`)
  await send(`{}\n${anItem('session', { ...crashed, init: false, status: 'crashed', seq: 3 })}`)
  await settled()
  // Late and repeated updates change nothing.
  await send(`{}\n${anItem('session', { ...crashed, init: false, status: 'exited', seq: 2 })}${anItem('session', healthy)}`)
  await settled()

  t.same(await rows('error_sessions', 'release, environment, started, exited, errored, crashed, abnormal'), [
    { release: 'shop@1.0.0', environment: 'test', started: 4, exited: 1, errored: 2, crashed: 1, abnormal: 0 }
  ])
})

t.test('aggregated sessions are added to their hour', async t => {
  const { send, rows, settled } = await aCountingProject(t)
  const aggregates = [
    { started: now(), exited: 10, errored: 2, unhandled: 1 },
    { started: now(), exited: 5, crashed: 1, did: 'somebody' }
  ]

  await send(`{}\n${anItem('sessions', { aggregates, attrs: { release: 'shop@2', environment: 'prod' } })}`)
  await settled()
  hasExactly(t, await rows('error_sessions', 'release, environment, started, exited, errored, crashed'), [
    { release: 'shop@2', environment: 'prod', started: 19, exited: 15, errored: 3, crashed: 1 }
  ])
})

t.test('a session without a release or from last week is ignored', async t => {
  const { send, rows, settled } = await aCountingProject(t)
  const lastWeek = new Date(Date.now() - 7 * 24 * 3600 * 1000).toISOString()

  await send(`{}\n${anItem('session', aSession({ attrs: {} }))}${anItem('session', aSession({ attrs: { release: 'latest' } }))}`)
  await send(`{}\n${anItem('session', aSession({ started: lastWeek }))}${anItem('session', 'not json')}`)
  await settled()
  t.same(await rows('error_sessions', 'release, environment'), [])
  t.same(await rows('error_dropped_counts', 'category, reason, items'), [{ category: 'session', reason: 'invalid_session', items: 4 }])
})

t.test('user feedback is stored from both item types', async t => {
  const { send, rows, settled } = await aCountingProject(t)
  const eventId = anEventId()

  await send(`{}\n${anItem('user_report', { event_id: eventId, name: 'Ada', email: 'ada@shop.test', comments: 'It broke\0!' })}`)
  await settled()
  await send(`{}\n${anItem('feedback', { contexts: { feedback: { message: 'Again', contact_email: 'bob@shop.test', name: 'Bob' } } })}`)
  await settled()
  hasExactly(t, await rows('error_feedback', 'id, name, email, comments, event_id'), [
    { name: 'Ada', email: 'ada@shop.test', comments: 'It broke!' },
    { name: 'Bob', email: 'bob@shop.test', comments: 'Again', event_id: null }
  ])
})

t.test('client reports are counted by reason', async t => {
  const { send, rows, settled } = await aCountingProject(t)
  const discarded = [
    { reason: 'sample_rate', category: 'error', quantity: 3 },
    { reason: 'queue_overflow', category: 'session', quantity: 1 },
    { reason: 'sample_rate', category: 'error', quantity: 2 },
    { reason: 'nonsense', category: 'error', quantity: -5 }
  ]

  await send(`{}\n${anItem('client_report', { timestamp: now(), discarded_events: discarded })}`)
  await settled()
  t.same(await rows('error_client_discards', 'category, reason, items'), [
    { category: 'error', reason: 'sample_rate', items: 5 },
    { category: 'session', reason: 'queue_overflow', items: 1 }
  ])
})

t.test('attachments up to the size limit are stored unchanged', async t => {
  const project = await openProject(t, { env: { ATTACHMENT_MAX_BYTES: '1000' } })
  const eventId = anEventId()
  const file = (size: number) => anItem('attachment', 'x'.repeat(size), { filename: 'app.log', content_type: 'text/plain', length: size })

  await project.send(`${anEnvelope(anException(), { event_id: eventId })}${file(1000)}${file(1001)}`)
  await project.untilStored(1)
  const { rows } = await project.platform.pool.query(
    'SELECT filename, content_type, size, length(content) AS length FROM error_attachments'
  )

  t.same(rows, [{ filename: 'app.log', content_type: 'text/plain', size: 1000, length: 1000 }])
})

onBothBackends(t, 'every item is counted as accepted or as dropped', async (t, kind) => {
  const { send, rows, settled } = await aCountingProject(t, { kind })
  const twice = anEnvelope({ event_id: anEventId(), message: 'the same twice' })

  await send(twice)
  await send(twice)
  await send(`{}\n${anItem('session', aSession())}${anItem('transaction', {})}${anItem('event', 'not json')}`)
  await settled()
  t.same(await rows('error_stored_counts', 'category, items'), [
    { category: 'error', items: 1 },
    { category: 'session', items: 1 }
  ])
  t.same(await rows('error_dropped_counts', 'category, reason, items'), [
    { category: 'error', reason: 'duplicate', items: 1 },
    { category: 'error', reason: 'unreadable', items: 1 },
    { category: 'transaction', reason: 'unsupported', items: 1 }
  ])
})

t.test('a CSP report becomes an error', async t => {
  const { app, project, key, untilStored } = await openProject(t)
  const url = `/api/${project.id}/security/?sentry_key=${key.public_key}&sentry_release=shop@3&sentry_environment=live`
  const old = {
    'csp-report': {
      'document-uri': 'https://shop.test/',
      'violated-directive': "script-src 'self'",
      'blocked-uri': 'https://evil.test/x.js'
    }
  }
  const modern = [
    {
      type: 'csp-violation',
      body: { documentURL: 'https://shop.test/b', effectiveDirective: 'script-src', blockedURL: 'https://evil.test/y.js' }
    }
  ]

  for (const [type, body] of [
    ['application/csp-report', old],
    ['application/reports+json', modern]
  ] as const) {
    const response = await app.inject({ method: 'POST', url, payload: JSON.stringify(body), headers: { 'content-type': type } })
    t.equal(response.statusCode, 200, type)
  }
  const errors = await untilStored(2)

  t.hasStrict(errors[0], { name: "Blocked 'script-src' from 'evil.test'", level: 'warning' })
})

t.test('a transaction at the store endpoint is counted, and is no error', async t => {
  const { send, platform, project, key, untilStored } = await openProject(t)
  const url = `/api/${project.id}/store/?sentry_key=${key.public_key}`

  t.equal((await send('{"type":"transaction","transaction":"GET /","spans":[]}', {}, url)).statusCode, 200)
  t.equal((await send('{"type":"default","message":"m"}', {}, url)).statusCode, 200)
  const drops = await eventually(async () => {
    const { rows } = await platform.pool.query('SELECT category, reason, items FROM error_dropped_counts')
    return rows.length > 0 && rows
  }, 'the transaction is counted')

  t.same(drops, [{ category: 'transaction', reason: 'unsupported', items: 1 }])
  t.equal((await untilStored(1)).length, 1)
})

t.test('a container counts the items that it says it has, and no session aggregate outweighs all others', async t => {
  const { send, rows, settled } = await aCountingProject(t)
  const container = (count: unknown) =>
    anItem('log', { items: [] }, { item_count: count, content_type: 'application/vnd.sentry.items.log+json' })
  const bucket = (exited: number, crashed = 0) => ({ started: now(), exited, crashed })

  await send(`{}\n${container(7)}${container(2e9)}${container('many')}${container(undefined)}`)
  await send(
    `{}\n${anItem('sessions', { aggregates: [bucket(90), bucket(1, 1_000_000), bucket(9, 1)], attrs: { release: 'shop@1.0.0' } })}`
  )
  await settled()
  t.same(await rows('error_dropped_counts', 'category, reason, items'), [
    { category: 'log', reason: 'unsupported', items: 7 + 10_000 + 1 + 1 }
  ])
  t.same(await rows('error_sessions', 'release, started, crashed'), [{ release: 'shop@1.0.0', started: 100, crashed: 1 }])
})
