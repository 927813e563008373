import zlib from 'node:zlib'
import type { Test } from 'tap'
import t from 'tap'
import { anEventId, openProject } from '../support/factories.ts'

/** `{key}`, `{q}`, `{project}` and `{other}` stand for a client key, the query with it, its project, and another project. */
type Row = [
  name: string,
  request: `${string} ${string}`,
  headers: Record<string, string>,
  body: string | Buffer,
  status: number,
  /** Of an error the detail, which is in the body and in a header. */
  answer: string | object,
  answerHeaders?: Record<string, string>
]

const json = JSON.stringify
const lines = (...parts: (object | string)[]) => parts.map(part => (typeof part === 'string' ? part : json(part))).join('\n')
const id = anEventId()
const event = json({ event_id: id, message: 'boom' })
const envelope = (header: object = { event_id: id }, payload = event) => lines(header, { type: 'event', length: payload.length }, payload)
const withDsn = (dsn: string) => envelope({ event_id: id, dsn })
const many = (count: number, type: string) => lines({}, ...Array.from({ length: count }, () => `{"type":"${type}"}\n{}`))
const withDashes = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase()
/** Does not shrink, so that its headers are read without inflating all of it. */
const incompressible = json({ extra: Array.from({ length: 100 }, anEventId) })
const longEvent = json({ message: 'x'.repeat(1 << 20) })
const bomb = zlib.gzipSync(lines({}, { type: 'attachment' }, 'x'.repeat(5 << 20)))

const post = 'POST /envelope/?{q}'
const store = 'POST /store/?{q}'
const report = 'POST /security/?{q}'
const stored = { id }
const someId = { id: /^[0-9a-f]{32}$/ }
const gif = { 'content-type': 'image/gif' }
const wrongId = 'The event_id is not a UUID.'
const wrongDsn = 'The DSN in the envelope header names another client key or project than the request.'
const wrongKey = 'The client key is unknown, disabled, or belongs to another project.'
const noKey = 'No client key: send sentry_key in the query or in an X-Sentry-Auth header.'
const wrongMethod = 'The method is not allowed.'
const encoded = (name: string) => ({ 'content-encoding': name })
const auth = (key: string) => ({ 'x-sentry-auth': `Sentry sentry_version=7, sentry_client=raven/1, sentry_key=${key}` })

const accepted: Row[] = [
  ['an event', post, {}, envelope(), 200, stored, { 'content-type': 'application/json; charset=utf-8' }],
  ['no slash at the end', 'POST /envelope?{q}', {}, envelope(), 200, stored],
  ['an id with dashes and capitals', post, {}, envelope({ event_id: withDashes }), 200, stored],
  ['the id in the event only', post, {}, envelope({}), 200, stored],
  ['the id in the envelope only', post, {}, envelope({ event_id: id }, '{}'), 200, stored],
  ['no id', post, {}, envelope({}, '{}'), 200, someId],
  ['an id that is null', post, {}, envelope({ event_id: null }, '{}'), 200, someId],
  ['two events', post, {}, lines({ event_id: id }, { type: 'event' }, event, { type: 'event' }, '{}'), 200, stored],
  ['a session', post, {}, lines({}, { type: 'session' }, '{}'), 200, {}],
  ['no items', post, {}, '{}', 200, {}],
  ['unknown item types', post, {}, lines({}, { type: 'replay_event' }, '{}', { type: 'other', length: 2 }, '{}'), 200, {}],
  ['an envelope at the store endpoint', store, { 'content-type': 'application/x-sentry-envelope' }, envelope(), 200, stored],
  ['a store event', store, { 'content-type': 'application/json' }, event, 200, stored],
  ['a store event in base64', store, {}, Buffer.from(event).toString('base64'), 200, stored],
  ['a store event in base64 of zlib', store, {}, zlib.deflateSync(event).toString('base64'), 200, stored],
  ['a store event with NaN', store, {}, `{"event_id":"${id}","extra":NaN}`, 200, stored],
  ['a pixel', `GET /store/?{q}&sentry_data=${encodeURIComponent(event)}`, {}, '', 200, '', gif],
  ['a CSP report', report, { 'content-type': 'application/csp-report' }, '{"csp-report":{"violated-directive":"img-src"}}', 200, someId],
  ['the Reporting API', report, { 'content-type': 'application/reports+json' }, '[{"type":"csp-violation","body":{}}]', 200, someId],
  ['a minidump', 'POST /minidump/?{q}', {}, 'MDMP', 200, '', { 'content-type': 'text/plain' }],
  ['a preflight', 'OPTIONS /envelope/', { origin: 'https://shop.test' }, '', 200, '', { 'access-control-allow-origin': '*' }]
]

const encodings: Row[] = [
  ['gzip', post, encoded('gzip'), zlib.gzipSync(envelope()), 200, stored],
  ['x-gzip', post, encoded('x-gzip'), zlib.gzipSync(envelope()), 200, stored],
  ['deflate as zlib', post, encoded('deflate'), zlib.deflateSync(envelope()), 200, stored],
  ['raw deflate', post, encoded('deflate'), zlib.deflateRawSync(envelope()), 200, stored],
  ['br', post, encoded('br'), zlib.brotliCompressSync(envelope()), 200, stored],
  ['zstd', post, encoded('zstd'), zlib.zstdCompressSync(envelope()), 200, stored],
  ['identity', post, encoded('identity'), envelope(), 200, stored],
  ['an empty encoding', post, encoded(''), envelope(), 200, stored],
  ['an unknown encoding', post, encoded('snappy'), envelope(), 200, stored],
  ['text as gzip', post, encoded('gzip'), envelope(), 400, 'The body is not gzip.']
]

const keys: Row[] = [
  ['X-Sentry-Auth', 'POST /envelope/', auth('{key}'), envelope(), 200, stored],
  ['Authorization', 'POST /envelope/', { authorization: 'Sentry sentry_key={key}' }, envelope(), 200, stored],
  ['query and header that agree', post, auth('{key}'), envelope(), 200, stored],
  ['an empty header', post, { 'x-sentry-auth': '' }, envelope(), 200, stored],
  [
    'the DSN of the envelope',
    'POST /envelope/',
    {},
    withDsn('https://{key}@tocsin.test/errortracking/api/v1/projects/{project}'),
    200,
    stored
  ],
  ['key and DSN that agree', post, {}, withDsn('https://{key}:@tocsin.test/{project}'), 200, stored],
  ['no key', 'POST /envelope/', {}, envelope(), 401, noKey],
  ['no key at the store endpoint', 'POST /store/', {}, event, 401, noKey],
  ['query and header that differ', post, auth('other'), envelope(), 401, 'The request has different client keys.'],
  ['a malformed key', 'POST /envelope/?sentry_key=a-b', {}, envelope(), 401, 'The client key is malformed.'],
  ['an unknown key', 'POST /envelope/?sentry_key=glet_0', {}, envelope(), 403, wrongKey],
  ['the key of another project', 'POST /../{other}/envelope/?{q}', {}, envelope(), 403, wrongKey],
  ['the DSN of another key', post, {}, withDsn('https://glet_0@tocsin.test/{project}'), 400, wrongDsn],
  ['the DSN of another project', post, {}, withDsn('https://{key}@tocsin.test/{other}'), 400, wrongDsn],
  ['only a DSN, of another project', 'POST /envelope/', {}, withDsn('https://{key}@tocsin.test/{other}'), 400, wrongDsn],
  [
    'the DSN of another key, compressed',
    post,
    encoded('gzip'),
    zlib.gzipSync(envelope({ event_id: id, dsn: 'https://glet_0@tocsin.test/1' }, incompressible)),
    400,
    wrongDsn
  ]
]

const ids: Row[] = [
  ['of the envelope', post, {}, envelope({ event_id: 'nope' }), 400, wrongId],
  ['of an envelope without an event', post, {}, lines({ event_id: 'nope' }, { type: 'session' }, '{}'), 400, wrongId],
  ['a number', post, {}, envelope({ event_id: 7 }), 400, wrongId],
  ['of the event', post, {}, envelope({}, '{"event_id":"nope"}'), 400, wrongId],
  ['of a compressed envelope', post, encoded('gzip'), zlib.gzipSync(envelope({ event_id: 'nope' }, incompressible)), 400, wrongId],
  ['of a store event', store, {}, '{"event_id":"nope"}', 400, wrongId],
  ['of a store event in base64', store, {}, Buffer.from('{"event_id":"nope"}').toString('base64'), 400, wrongId],
  ['of a store event with NaN', store, {}, '{"event_id":"nope","extra":NaN}', 400, wrongId],
  ['of a pixel', 'GET /store/?{q}&sentry_data={"event_id":"nope"}', {}, '', 400, wrongId]
]

const malformed: Row[] = [
  ['no body', post, {}, '', 400, 'The envelope header is not valid JSON.'],
  ['a header that is a list', post, {}, '[]', 400, 'The envelope header is not an object.'],
  ['an item without a type', post, {}, '{}\n{}\n{}', 400, 'An item header has no type.'],
  [
    'an item that is too short',
    post,
    {},
    lines({}, { type: 'event', length: 9 }, '{}'),
    400,
    'An item is shorter than its declared length.'
  ],
  ['an item that is too long', post, {}, lines({}, { type: 'event', length: 1 }, '{}'), 400, 'An item is longer than its declared length.'],
  ['no store event', store, {}, '', 400, 'The event is neither JSON nor base64.'],
  ['a store event in XML', store, {}, '<xml/>', 400, 'The event is neither JSON nor base64.'],
  ['a truncated store event', store, {}, '{"message": ', 400, 'The event is not valid JSON.'],
  ['a CSP report that is text', report, {}, 'blocked', 400, 'The report is not JSON.']
]

const sizes: Row[] = [
  ['an event', post, {}, lines({}, { type: 'event' }, longEvent), 413, 'The envelope is too large: events may have 1048576 bytes each.'],
  ['a store event', store, {}, longEvent, 413, 'The envelope is too large.'],
  ['the number of events', post, {}, many(101, 'event'), 413, 'The envelope is too large: it may hold 100 events.'],
  ['the number of sessions', post, {}, many(101, 'session'), 413, 'The envelope is too large: it may hold 100 sessions.'],
  ['the number of attachments', post, {}, many(31, 'attachment'), 413, 'The envelope is too large: it may hold 30 attachments.'],
  ['the body', post, {}, Buffer.alloc((2 << 20) + 1), 413, 'The envelope is too large.'],
  ['the inflated body', post, encoded('gzip'), bomb, 413, 'The envelope is too large.']
]

const onlyPost = { allow: 'OPTIONS, POST' }
const getOrPost = { allow: 'GET, HEAD, OPTIONS, POST' }
const methods: Row[] = [
  ['GET', 'GET /envelope/?{q}', {}, '', 405, wrongMethod, onlyPost],
  ['HEAD', 'HEAD /envelope/?{q}', {}, '', 405, wrongMethod, onlyPost],
  ['PUT', 'PUT /envelope/?{q}', {}, envelope(), 405, wrongMethod, onlyPost],
  ['PATCH', 'PATCH /envelope/?{q}', {}, envelope(), 405, wrongMethod, onlyPost],
  ['DELETE', 'DELETE /envelope/?{q}', {}, '', 405, wrongMethod, onlyPost],
  ['PUT without a key', 'PUT /envelope', {}, envelope(), 405, wrongMethod, onlyPost],
  ['a store event', 'PUT /store/?{q}', {}, event, 405, wrongMethod, getOrPost],
  ['a CSP report', 'GET /security/?{q}', {}, '', 405, wrongMethod, onlyPost],
  ['a CSP report by its other name', 'GET /csp-report/?{q}', {}, '', 405, wrongMethod, onlyPost],
  ['a minidump', 'GET /minidump/?{q}', {}, '', 405, wrongMethod, onlyPost],
  ['an attachment', `DELETE /events/${id}/attachments/?{q}`, {}, '', 405, wrongMethod, onlyPost],
  ['a check-in', 'PUT /cron/nightly/?{q}', {}, '{}', 405, wrongMethod, getOrPost]
]

const tables = { accepted, encodings, keys, 'invalid event ids': ids, malformed, sizes, 'wrong methods': methods }
const roots = ['/errortracking/api/v1/projects/api', '/api/v4/error_tracking/collector/api', '/api']

t.test('every request to error intake is answered as SDKs expect', async t => {
  const ask = await openTable(t)

  for (const [table, rows] of Object.entries(tables))
    for (const [name, request, headers, body, status, answer, answerHeaders = {}] of rows)
      for (const root of roots) {
        const response = await ask(root, request, headers, body)
        const title = `${table}, ${name}, ${root}: ${response.body}`

        t.equal(response.statusCode, status, title)
        t.hasStrict(response.headers, answerHeaders, title)
        if (status >= 400) t.equal(response.headers['x-sentry-error'], answer, title)
        if (status >= 400 && !request.startsWith('HEAD')) t.same(response.json(), { detail: answer, causes: [] }, title)
        if (typeof answer === 'object') t.match(response.json(), answer, title)
      }
})

t.test('alert intake answers 405 to other methods than POST, whether the project exists or not', async t => {
  const { app, project } = await openProject(t)

  for (const path of [project.path_with_namespace, 'no/project'])
    for (const end of [
      'alerts/notify',
      'alerts/notify.json',
      'alerts/notify/uptime/0123456789abcdef.json',
      'prometheus/alerts/notify.json'
    ])
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        const response = await app.inject({ method, url: `/${path}/${end}` })

        t.equal(response.statusCode, 405, `${method} ${path}/${end}`)
        t.equal(response.headers.allow, 'POST')
        if (method !== 'HEAD') t.same(response.json(), { error: '405 Not Allowed' })
      }
})

/** A project, and a function that sends a row's request to it. */
async function openTable(t: Test) {
  const { app, call, project, key } = await openProject(t, {
    env: { ENVELOPE_MAX_BYTES: `${2 << 20}`, ENVELOPE_MAX_INFLATED: `${4 << 20}` }
  })
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const values = { key: key.public_key, q: `sentry_key=${key.public_key}`, project: project.id, other: other.id }
  const fill = (text: string) =>
    Object.entries(values).reduce((filled, [name, value]) => filled.replaceAll(`{${name}}`, String(value)), text)

  return (root: string, request: string, headers: Record<string, string>, body: string | Buffer) => {
    const [method, path] = fill(request).split(/ (.*)/s) as ['POST', string]

    return app.inject({
      method,
      url: path.startsWith('/../') ? `${root}${path.slice(3)}` : `${root}/${project.id}${path}`,
      headers: JSON.parse(fill(json(headers))),
      ...(body.length > 0 && { payload: typeof body === 'string' ? fill(body) : body })
    })
  }
}
