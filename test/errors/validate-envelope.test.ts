import zlib from 'node:zlib'
import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { aYoungMinute, eventually } from '../support/world.ts'

const places = (id: number) => [`/errortracking/api/v1/projects/api/${id}`, `/api/v4/error_tracking/collector/api/${id}`, `/api/${id}`]

t.test('every form of DSN reaches intake, with and without a trailing slash', async t => {
  const { send, project, key, untilStored } = await openProject(t)

  for (const place of places(project.id)) {
    for (const slash of ['', '/']) {
      const envelope = await send(anEnvelope(anException()), {}, `${place}/envelope${slash}?sentry_key=${key.public_key}`)
      const store = await send(JSON.stringify(anException()), {}, `${place}/store${slash}?sentry_key=${key.public_key}`)

      t.equal(envelope.statusCode, 200, `${place}/envelope${slash}`)
      t.equal(store.statusCode, 200, `${place}/store${slash}`)
    }
  }
  t.ok(await untilStored(12))
})

t.test('the store endpoint accepts JSON, base64, compressed base64, and envelopes', async t => {
  const { send, project, key, untilStored } = await openProject(t)
  const url = `/errortracking/api/v1/projects/api/${project.id}/store/?sentry_key=${key.public_key}`
  const bodies: [string, (json: string) => string | Buffer, Record<string, string>][] = [
    ['JSON', json => json, { 'content-type': 'application/json' }],
    ['no content type', json => json, {}],
    ['form', json => json, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['gzip', json => zlib.gzipSync(json), { 'content-encoding': 'gzip' }],
    ['base64', json => Buffer.from(json).toString('base64'), { 'content-type': 'application/octet-stream' }],
    ['base64 of zlib', json => zlib.deflateSync(json).toString('base64'), { 'content-type': 'application/octet-stream' }]
  ]

  for (const [way, encode, headers] of bodies) {
    const response = await send(encode(JSON.stringify({ event_id: anEventId(), message: way })), headers, url)

    t.equal(response.statusCode, 200, way)
    t.match(response.json(), { id: /^[0-9a-f]{32}$/ }, way)
  }
  const enveloped = await send(anEnvelope({ message: 'enveloped' }), { 'content-type': 'application/x-sentry-envelope' }, url)

  t.equal(enveloped.statusCode, 200)
  const errors = await untilStored(7)
  t.same(errors.map((error: { name: string }) => error.name).sort(), [...bodies.map(([way]) => way), 'enveloped'].sort())
})

t.test('an event may be sent in the query of a pixel', async t => {
  const { app, project, key, untilStored } = await openProject(t)
  const data = encodeURIComponent(JSON.stringify({ message: 'from a pixel' }))
  const response = await app.inject(`/api/${project.id}/store/?sentry_key=${key.public_key}&sentry_data=${data}`)

  t.equal(response.statusCode, 200)
  t.hasStrict(response.headers, { 'content-type': 'image/gif' })
  hasExactly(t, await untilStored(1), [{ name: 'from a pixel' }])
})

t.test('an invalid event body is rejected with a reason', async t => {
  const { send, project, key } = await openProject(t)
  const url = `/api/${project.id}/store/?sentry_key=${key.public_key}`

  for (const [body, detail] of [
    ['', 'The event is neither JSON nor base64.'],
    ['{"message": ', 'The event is not valid JSON.'],
    ['<xml/>', 'The event is neither JSON nor base64.']
  ] as const) {
    const response = await send(body, {}, url)

    t.equal(response.statusCode, 400)
    t.same(response.json(), { detail, causes: [] })
  }
})

t.test('an envelope header may hold the client key, which must be valid', async t => {
  const { send, intake, key, project } = await openProject(t)
  const dsn = (publicKey: string) => ({
    dsn: `https://${publicKey}@tocsin.test/errortracking/api/v1/projects/${project.id}`,
    event_id: anEventId()
  })

  t.equal((await send(anEnvelope({ message: 'tunnelled' }, dsn(key.public_key)), {}, intake)).statusCode, 200)
  t.equal((await send(anEnvelope({ message: 'tunnelled' }, dsn('glet_wrong')), {}, intake)).statusCode, 403)
  t.equal((await send(anEnvelope({ message: 'tunnelled' }, {}), {}, intake)).statusCode, 401)
})

t.test('pages of any origin may send events and read the response', async t => {
  const { app, send, intake, key } = await openProject(t)
  const asked = await app.inject({
    method: 'OPTIONS',
    url: intake,
    headers: { origin: 'https://shop.test', 'access-control-request-method': 'POST' }
  })

  t.equal(asked.statusCode, 200)
  t.hasStrict(asked.headers, { 'access-control-allow-origin': '*', 'access-control-max-age': '3600' })
  t.match(asked.headers, { 'access-control-allow-methods': /POST/, 'access-control-allow-headers': /x-sentry-auth/ })
  for (const url of [`${intake}?sentry_key=${key.public_key}`, `${intake}?sentry_key=wrong`]) {
    t.hasStrict((await send(anEnvelope(), { origin: 'https://shop.test' }, url)).headers, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
      'cross-origin-resource-policy': 'cross-origin'
    })
  }
})

t.test('unsupported endpoints drain and count the body, and answer 200', async t => {
  const { send, project, key, platform, app } = await openProject(t, { isPrivate: true })
  const paths = ['minidump', 'nel']

  for (const path of paths) {
    t.equal((await send(Buffer.alloc(300_000), {}, `/api/${project.id}/${path}/?sentry_key=${key.public_key}`)).statusCode, 200, path)
  }
  t.equal((await send('crash', {}, `/api/${project.id}/unreal/${key.public_key}/`)).statusCode, 200)
  await app.close()
  const { rows } = await platform.pool.query(
    `SELECT category, items FROM error_dropped_counts WHERE reason = 'unsupported' ORDER BY category`
  )

  t.same(rows, [
    { category: 'minidump', items: 1 },
    { category: 'nel', items: 1 },
    { category: 'unreal_report', items: 1 }
  ])
})

for (const holder of ['key', 'project'] as const) {
  t.test(`a ${holder} over its quota is rejected with Retry-After, and the rejection is counted`, async t => {
    const { send, platform, project, key, app } = await openProject(t, { isPrivate: true })
    const table = holder === 'key' ? 'client_keys' : 'error_settings'

    await platform.pool.query(`UPDATE ${table} SET events_per_minute = 2`)
    await platform.pool.query(`SELECT pg_notify('${platform.config.namespace}_changed', 'client-key')`)
    await aYoungMinute()
    const refused = await eventually(async () => {
      const response = await send(anEnvelope())
      return response.statusCode === 429 && response
    }, 'the quota is known and used up')

    t.match(refused.headers, {
      'retry-after': /^\d+$/,
      'x-sentry-rate-limits': new RegExp(`^\\d+:default;error;security:${holder}:quota$`)
    })
    t.match(refused.json().detail, /2 events per minute/)
    await app.close()
    const { rows } = await platform.pool.query(`SELECT items FROM error_dropped_counts WHERE reason = 'quota' AND project_id = $1`, [
      project.id
    ])

    t.same(rows, [{ items: 1 }])
    const subject = `${holder} ${holder === 'key' ? key.id : project.id}`
    const { rows: usage } = await platform.pool.query('SELECT events FROM error_usage WHERE subject = $1', [subject])
    t.same(usage, [{ events: 2 }])
  })
}

t.test('a quota holds for concurrent requests and counts each event of an envelope', async t => {
  const { send, call, path } = await openProject(t)
  const event = JSON.stringify(anException())
  const three = () => `{}\n{"type":"event"}\n${event}\n`.concat(`{"type":"event"}\n${event}\n`.repeat(2))

  await call('PATCH', `${path}/settings`, { active: true, events_per_minute: 6 })
  await aYoungMinute()
  const answers = await Promise.all(Array.from({ length: 12 }, () => send(three())))

  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 2)
  for (const { statusCode, headers } of answers.filter(({ statusCode }) => statusCode !== 200)) {
    t.equal(statusCode, 429)
    t.match(headers, { 'retry-after': /^\d+$/, 'x-sentry-rate-limits': /^\d+:default;error;security:project:quota$/ })
  }
})

t.test('an envelope with more events than its quota has left is rejected and uses none of it', async t => {
  const { send, call, path } = await openProject(t)
  const two = `{}\n${`{"type":"event"}\n${JSON.stringify(anException())}\n`.repeat(2)}`

  await call('PATCH', `${path}/settings`, { active: true, events_per_minute: 4 })
  await aYoungMinute()
  const statuses = []
  for (const envelope of [two, anEnvelope(), two, anEnvelope(), anEnvelope()]) statuses.push((await send(envelope)).statusCode)

  t.same(statuses, [200, 200, 429, 200, 429])
})

t.test('events that could not be enqueued are refunded to the quota', async t => {
  const { send, call, path } = await openProject(t, { env: { BATCH_MEMORY: '1048576' } })
  const file = `{"type":"attachment","length":1100000}\n${'x'.repeat(1_100_000)}\n`

  await call('PATCH', `${path}/settings`, { active: true, events_per_minute: 1 })
  await aYoungMinute()
  const refused = await send(anEnvelope() + file)

  t.equal(refused.statusCode, 429)
  t.hasStrict(refused.headers, { 'x-sentry-rate-limits': '30::organization:queue_full' })
  t.equal((await send(anEnvelope())).statusCode, 200)
  t.match((await send(anEnvelope())).headers, { 'x-sentry-rate-limits': /:project:quota$/ })
})

t.test('the quota of a project replaces the default one', async t => {
  const { send, call, path } = await openProject(t, { env: { PROJECT_EVENTS_PER_MINUTE: '1' } })
  const statuses = async () => [(await send(anEnvelope())).statusCode, (await send(anEnvelope())).statusCode]

  await aYoungMinute()
  t.same(await statuses(), [200, 429])
  await call('PATCH', `${path}/settings`, { active: true, events_per_minute: 3 })
  await eventually(async () => (await send(anEnvelope())).statusCode === 200, 'the own limit is known')
  t.same(await statuses(), [200, 429])
})

t.test('a project that fills its share of the queue is rate limited, and other projects are not', async t => {
  const { send, call, worker } = await openProject(t, { env: { QUEUE_LIMIT: '100', QUEUE_PROJECT_PERCENT: '25' } })
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const path = `/projects/${other.id}/error_tracking`
  const thirty = `{}\n${`{"type":"event"}\n${JSON.stringify(anException())}\n`.repeat(30)}`

  await call('PUT', `${path}/settings`, { active: true, integrated: true })
  const { body: key } = await call('POST', `${path}/client_keys`)
  await worker.close(5000)
  t.equal((await send(thirty)).statusCode, 200)
  const refused = await send(anEnvelope())

  t.equal(refused.statusCode, 429)
  t.hasStrict(refused.headers, { 'retry-after': '30', 'x-sentry-rate-limits': '30::project:queue_full' })
  const url = `/api/${other.id}/envelope/?sentry_key=${key.public_key}`
  t.equal((await send(thirty, {}, url)).statusCode, 200)
  t.hasStrict((await send(anEnvelope(), {}, url)).headers, { 'x-sentry-rate-limits': '30::project:queue_full' })
})
