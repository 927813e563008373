import zlib from 'node:zlib'
import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { eventually, onBothBackends } from '../support/world.ts'

t.test('the client key may be in the query or in a header', async t => {
  const { send, intake, key } = await openProject(t)
  const bare = intake.replace(/\/$/, '')
  const ways: [string, Record<string, string>, string][] = [
    ['the query', {}, `${intake}?sentry_key=${key.public_key}&sentry_version=7`],
    ['the query, without a slash at the end of the path', {}, `${bare}?sentry_key=${key.public_key}`],
    ['X-Sentry-Auth', { 'x-sentry-auth': `Sentry sentry_key=${key.public_key}, sentry_version=7, sentry_client=sentry.python/2` }, intake],
    [
      'X-Sentry-Auth without spaces',
      { 'x-sentry-auth': `Sentry sentry_version=7,sentry_client=java/8,sentry_key=${key.public_key}` },
      intake
    ],
    ['Authorization', { authorization: `Sentry sentry_key=${key.public_key}` }, intake],
    ['Basic', { authorization: `Basic ${Buffer.from(`${key.public_key}:`).toString('base64')}` }, intake],
    ['header and query that agree', { 'x-sentry-auth': `Sentry sentry_key=${key.public_key}` }, `${intake}?sentry_key=${key.public_key}`],
    ['an empty header beside the query', { 'x-sentry-auth': '' }, `${intake}?sentry_key=${key.public_key}`]
  ]

  for (const [way, headers, url] of ways) t.equal((await send(anEnvelope(), headers, url)).statusCode, 200, way)
})

t.test('a request without a valid key is rejected as SDKs expect', async t => {
  const { send, intake, key, call } = await openProject(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const refused: [number, string, Record<string, string>, string][] = [
    [401, 'no key', {}, intake],
    [401, 'a malformed key', {}, `${intake}?sentry_key=a-b`],
    [401, 'the same key twice', {}, `${intake}?sentry_key=a&sentry_key=b`],
    [401, 'keys that do not agree', { 'x-sentry-auth': 'Sentry sentry_key=other' }, `${intake}?sentry_key=${key.public_key}`],
    [403, 'an unknown key', {}, `${intake}?sentry_key=glet_${'0'.repeat(32)}`],
    [403, "another project's key", {}, `/errortracking/api/v1/projects/api/${other.id}/envelope/?sentry_key=${key.public_key}`]
  ]

  for (const [status, why, headers, url] of refused) {
    const response = await send(anEnvelope(), headers, url)

    t.equal(response.statusCode, status, why)
    t.match(response.json().detail, /\w/)
    t.same(response.json().causes, [])
    t.equal(response.headers['x-sentry-error'], response.json().detail)
  }
})

t.test('an unknown key does not block a valid one', async t => {
  const { send, intake } = await openProject(t)

  await send(anEnvelope(), {}, `${intake}?sentry_key=glet_${'0'.repeat(32)}`)
  t.equal((await send(anEnvelope())).statusCode, 200)
})

t.test('deleting a key or deactivating a project takes effect at once', async t => {
  const { send, call, path, key } = await openProject(t)

  t.equal((await send(anEnvelope())).statusCode, 200)
  await call('PATCH', `${path}/settings`, { active: false })
  await eventually(async () => (await send(anEnvelope())).statusCode === 403, 'an inactive project is refused')
  await call('PATCH', `${path}/settings`, { active: true })
  await eventually(async () => (await send(anEnvelope())).statusCode === 200, 'an active one is taken again')
  await call('DELETE', `${path}/client_keys/${key.id}`)
  await eventually(async () => (await send(anEnvelope())).statusCode === 403, 'a removed key is refused')
})

t.test('bodies are accepted in every encoding and with any content type', async t => {
  const { send, untilStored } = await openProject(t)
  const encode: Record<string, (text: string) => Buffer> = {
    gzip: zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: zlib.brotliCompressSync,
    zstd: zlib.zstdCompressSync,
    '': Buffer.from,
    identity: Buffer.from
  }

  for (const [encoding, method] of Object.entries(encode)) {
    const response = await send(method(anEnvelope(anException(`In ${encoding || 'nothing'}`))), { 'content-encoding': encoding })
    t.equal(response.statusCode, 200, encoding)
  }
  for (const type of ['text/plain;charset=UTF-8', 'application/json', 'application/x-sentry-envelope', 'what/ever']) {
    t.equal((await send(anEnvelope(anException(`As ${type}`)), { 'content-type': type })).statusCode, 200, type)
  }
  const errors = await untilStored(10)
  t.equal(errors.length, 10)
})

t.test('stored payloads can be read in whatever encoding they were sent', async t => {
  const { send, untilStored, call, path } = await openProject(t)
  const event = { ...anException('Kept'), extra: { text: 'line\nbreak ✓' } }
  const two = `{"event_id":"${anEventId()}"}\n{"type":"event"}\n${JSON.stringify(event)}\n{"type":"event"}\n${JSON.stringify(event)}\n`

  for (const body of [
    anEnvelope(event),
    zlib.gzipSync(anEnvelope(event)),
    zlib.zstdCompressSync(anEnvelope(event)),
    zlib.brotliCompressSync(anEnvelope(event)),
    two
  ]) {
    const encoding = Buffer.isBuffer(body) ? ['gzip', 'zstd', 'br'].find(name => isCoded(body, name))! : ''
    t.equal((await send(body, { 'content-encoding': encoding })).statusCode, 200)
  }
  const [error] = await untilStored(6)
  const { body: events } = await call('GET', `${path}/errors/${error.fingerprint}/events`)

  t.equal(events.length, 6, 'two events in one envelope are both kept')
  for (const { payload } of events) t.same(JSON.parse(payload).extra, event.extra)
})

t.test('the event id is read from the envelope header, else from the event, else generated', async t => {
  const { send } = await openProject(t)
  const [inHeader, inEvent] = [anEventId(), anEventId()]

  t.equal((await send(anEnvelope({ event_id: inEvent, message: 'm' }, { event_id: inHeader }))).json().id, inHeader)
  t.equal((await send(anEnvelope({ event_id: inEvent, message: 'm' }, {}))).json().id, inEvent)
  t.match((await send(anEnvelope({ message: 'm' }, {}))).json().id, /^[0-9a-f]{32}$/)
  t.same((await send('{}\n{"type":"session"}\n{}')).json(), {}, 'an envelope without an event has none')
})

t.test('invalid and oversized envelopes are rejected', async t => {
  const { send } = await openProject(t, { env: { ENVELOPE_MAX_BYTES: '2048', ENVELOPE_MAX_INFLATED: '8192' } })

  t.equal((await send('nonsense')).statusCode, 400)
  t.equal((await send('')).statusCode, 400)
  t.equal((await send('not gzip', { 'content-encoding': 'gzip' })).statusCode, 400)
  t.equal((await send(anEnvelope({ message: 'x'.repeat(4096) }))).statusCode, 413, 'as sent')
  t.equal(
    (await send(zlib.gzipSync(anEnvelope({ message: 'x'.repeat(20_000) })), { 'content-encoding': 'gzip' })).statusCode,
    413,
    'inflated'
  )
})

t.test('an event over 1 MiB is rejected', async t => {
  const { send } = await openProject(t)

  t.equal((await send(zlib.gzipSync(anEnvelope({ message: 'x'.repeat(1 << 20) })), { 'content-encoding': 'gzip' })).statusCode, 413)
})

onBothBackends(t, 'unreadable items are counted once and do not affect others', async (t, kind) => {
  const { send, untilStored, platform, project } = await openProject(t, { kind })
  const mixed = `{}\n{"type":"event"}\nnot json\n{"type":"event"}\n[1]\n{"type":"event"}\n{"message":"good"}\n{"type":"transaction"}\n{}\n{"type":"client_report"}\n{}\n`

  await send(mixed)
  await untilStored(1)
  const { rows } = await platform.pool.query(
    'SELECT category, reason, items FROM error_dropped_counts WHERE project_id = $1 ORDER BY category, reason',
    [project.id]
  )

  t.same(rows, [
    { category: 'error', reason: 'unreadable', items: 2 },
    { category: 'transaction', reason: 'unsupported', items: 1 }
  ])
})

t.test('SDKs are told to stop sending what is dropped', async t => {
  const { send } = await openProject(t)
  const limits = async (envelope: string) => (await send(envelope)).headers['x-sentry-rate-limits']
  const items = (...types: string[]) => `{}\n${types.map(type => `{"type":"${type}"}\n{}\n`).join('')}`

  t.equal(await limits(anEnvelope({ message: 'kept' })), undefined)
  t.equal(await limits(items('session', 'client_report', 'user_report', 'check_in', 'made-up')), undefined)
  t.equal(await limits(items('event', 'transaction')), '3600:transaction:organization:unsupported')
  t.equal(await limits(items('log', 'span', 'span')), '3600:log_item;span:organization:unsupported')
  t.equal(await limits(items('otel_log')), '3600:log_item:organization:unsupported')
})

t.test('above the queue limit SDKs are rate limited', async t => {
  const { send, worker, platform } = await openProject(t, { env: { QUEUE_LIMIT: '3', QUEUE_PROJECT_PERCENT: '100' } })

  await worker.close(5000)
  for (let n = 0; n < 3; n++) t.equal((await send(anEnvelope())).statusCode, 200)
  await platform.backlog.sample()
  const response = await send(anEnvelope())

  t.equal(response.statusCode, 429)
  t.equal(response.headers['retry-after'], '30')
  t.equal(response.headers['x-sentry-rate-limits'], '30::organization:queue_full')
})

function isCoded(body: Buffer, encoding: string) {
  return { gzip: body[0] === 0x1f, zstd: body[0] === 0x28, br: body[0] !== 0x1f && body[0] !== 0x28 }[encoding]
}
