import { gzipSync } from 'node:zlib'
import t from 'tap'
import { createIntegration, invalidateIntegrations } from '#alerts/integrations/create-integration.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { eventually, onBothBackends, rootToken } from '../support/world.ts'
import { anItem, aWebhook, openAlertedProject } from './alerting.ts'

onBothBackends(t, 'an alert is answered with its number and title, as are its repetition and its end', async (t, kind) => {
  const { send, alerts } = await openAlertedProject(t, { kind, env: { ALERT_SHARDS: '4' } })
  const first = await send({ title: 'Down', service: 'shop' })

  t.equal(first.statusCode, 200)
  t.match(first.headers['content-type'], /^application\/json/)
  t.same(first.json(), [{ iid: 1, title: 'Down' }])
  t.same((await send({ title: 'Other' })).json(), [{ iid: 2, title: 'Other' }])
  t.same((await send({ service: 'shop', title: 'Down', hosts: ['a'], start_time: '2026-01-01' })).json(), [{ iid: 1, title: 'Down' }])
  hasExactly(t, await alerts(), [
    { iid: 1, events: 2, status: 'triggered' },
    { iid: 2, events: 1 }
  ])

  t.same((await send({ title: 'Down', service: 'shop', end_time: '2026-11-21T11:00:00+01:00' })).json(), [{ iid: 1, title: 'Down' }])
  hasExactly(t, await alerts(), [{ iid: 1, events: 2, status: 'resolved', endedAt: new Date('2026-11-21T10:00:00Z') }, { iid: 2 }])

  const again = await send({ title: 'Down', service: 'shop', end_time: '2026-11-21T11:00:00+01:00' })
  t.equal(again.statusCode, 200)
  t.same(again.json(), [], 'there is nothing left to resolve')
  t.same((await send({ title: 'Down', service: 'shop' })).json(), [{ iid: 3, title: 'Down' }], 'a resolved alert is not reopened')
})

t.test('a byte order mark and an empty Content-Type are ignored', async t => {
  const { app, send } = await openAlertedProject(t)

  t.same((await send('\uFEFF{"title":"Marked"}')).json(), [{ iid: 1, title: 'Marked' }])
  t.same((await send(gzipSync('\uFEFF{"title":"Packed"}'), { 'content-encoding': 'gzip' })).json(), [{ iid: 2, title: 'Packed' }])
  for (const [n, type] of ['', ' ', 'json'].entries())
    t.same((await send({ title: `Typed ${n}` }, { 'content-type': type })).json(), [{ iid: 3 + n, title: `Typed ${n}` }])

  const create = (type: string, payload: string) =>
    app.inject({ method: 'POST', url: '/api/v4/projects', payload, headers: { 'private-token': rootToken, 'content-type': type } })

  t.equal((await create('', '\uFEFF{"name":"Typeless"}')).statusCode, 201, 'also by the REST API')
  t.same((await create('json', '{}')).json(), { error: "The provided content-type 'json' is not supported." })
})

t.test('alerts are accepted at the legacy, named and metrics URLs, in groups of any depth', async t => {
  const { call, platform, config, send } = await openAlertedProject(t)
  const { body: outer } = await call('POST', '/groups', { name: 'Outer', path: 'outer' })
  const { body: inner } = await call('POST', '/groups', { name: 'Inner', path: 'inner.one', parent_id: outer.id })
  const { body: innermost } = await call('POST', '/groups', { name: 'Innermost', path: 'prometheus', parent_id: inner.id })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', namespace_id: innermost.id })
  let made = 0

  for (const kind of ['http', 'http', 'prometheus', 'prometheus'] as const) {
    const { integration, key } = await createIntegration(platform.fork(), config, project.id, { name: 'The Göteborg one', kind })
    const url = integration.url('', project.path_with_namespace)
    const auth = { authorization: `Bearer ${key}` }

    for (const address of [url, url.replace('.json', ''), `${url.replace('.json', '')}/?x=1`, url.replace('outer', 'OUTER')]) {
      const response = await send({ title: `At ${address}` }, auth, address)

      t.equal(response.statusCode, 200, address)
      t.same(response.json(), [{ iid: ++made, title: `At ${address}` }])
    }
    t.equal((await send(aWebhook([anItem({ fingerprint: String(made) })]), auth, url)).json()[0].title, 'HighLatency')
    made++
  }
  t.equal((await send({}, {}, `/${project.path_with_namespace}/alerts/notify/any/0000000000000000.json`)).statusCode, 403)
})

t.test('the key is a bearer token, a Basic password, or part of the URL', async t => {
  const { app, key, path } = await openAlertedProject(t)
  const url = new URL(await listen(app))
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
  const post = (headers: Record<string, string>) => fetch(new URL(path, url), { method: 'POST', body: '{"title":"Down"}', headers })

  for (const headers of [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    basic(`:${key}`),
    basic(`anybody:${key}`)
  ]) {
    t.equal((await post(headers as Record<string, string>)).status, 200, headers.authorization)
  }
  for (const headers of [
    {},
    { authorization: key },
    { authorization: `Bearer ${'0'.repeat(32)}` },
    basic(key),
    basic(`${key}:`),
    basic('a:b')
  ]) {
    const response = await post(headers as Record<string, string>)

    t.equal(response.status, 401)
    t.same(await response.json(), { message: '401 Unauthorized' })
  }
})

t.test('inactive, reset and deleted integrations are refused at once, and moved projects are found by their former path', async t => {
  const { send, integration, platform, config, call, project } = await openAlertedProject(t)
  const change = async (set: string) => {
    await platform.pool.query(`UPDATE alert_integrations SET ${set} WHERE id = $1`, [integration.id])
    await invalidateIntegrations(platform.fork(), config)
  }

  t.equal((await send({})).statusCode, 200)
  await change('active = false')
  await eventually(async () => (await send({})).statusCode === 403, 'an inactive one is refused')
  t.same((await send({})).json(), { message: '403 Forbidden - there is no active integration at this address' })
  await change('active = true')
  await eventually(async () => (await send({})).statusCode === 200, 'an active one is taken')

  await call('PUT', `/projects/${project.id}`, { path: 'moved' })
  t.equal((await send({})).statusCode, 200, 'by its former path')

  await change(`token_hash = sha256('another')`)
  await eventually(async () => (await send({})).statusCode === 401, 'a former key is refused')
  await call('DELETE', `/projects/${project.id}`)
  await eventually(async () => (await send({})).statusCode === 403, 'a project that is gone takes nothing')
})

t.test('no refusal of a wrong key or an unknown address comes sooner than the others', async t => {
  const { send, path } = await openAlertedProject(t)
  const wrong = { authorization: `Bearer ${'0'.repeat(32)}` }

  for (const url of [path, path.replace('.json', '/x/0123456789abcdef.json'), '/no/body/alerts/notify']) {
    for (let n = 0; n < 9; n++) {
      const at = performance.now()

      await send({}, wrong, url)
      const ms = performance.now() - at

      // Timers may be a millisecond early.
      t.ok(ms >= 48, `${ms} ms: ${url}`)
    }
  }
})

t.test('invalid payloads are refused with a reason', async t => {
  const { send, alerts } = await openAlertedProject(t)
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const refused: [number, RegExp, string | Buffer, Record<string, string>?][] = [
    [400, /not valid JSON/, 'nonsense'],
    [400, /not valid JSON/, ''],
    [400, /not a JSON object/, '[]'],
    [400, /not a JSON object/, 'null'],
    [400, /not a JSON object/, '"text"'],
    [400, /not in gzip/, 'nonsense', { 'content-encoding': 'gzip' }],
    [400, /Idempotency-Key/, '{}', { 'idempotency-key': 'x'.repeat(256) }],
    [413, /^413 Request Entity Too Large$/, deep(101)],
    [413, /^413/, JSON.stringify({ title: 'x'.repeat(1 << 20) })],
    [413, /^413/, gzipSync(JSON.stringify({ title: 'x'.repeat(1 << 20) })), { 'content-encoding': 'gzip' }],
    [413, /at most 1000 alerts/, JSON.stringify(aWebhook(Array(1001).fill({})))]
  ]

  for (const [status, message, payload, headers] of refused) {
    const response = await send(payload, headers)

    t.equal(response.statusCode, status, `${message}`)
    t.match(response.json().message, message)
  }
  t.same(await alerts(), [])
  t.equal((await send(deep(100))).statusCode, 200)
  t.equal((await send(gzipSync('{"title":"Packed"}'), { 'content-encoding': 'gzip' })).json()[0].title, 'Packed')
  t.equal((await send({}, { 'content-type': 'what/ever' })).statusCode, 200)
})

t.test('a project limits its requests per minute', async t => {
  const { send, platform, config, project } = await openAlertedProject(t)

  await platform.pool.query('INSERT INTO alert_settings (project_id, requests_per_minute) VALUES ($1, 2)', [project.id])
  await invalidateIntegrations(platform.fork(), config)
  for (let n = 0; n < 2; n++) t.equal((await send({})).statusCode, 200)
  const response = await send({})

  t.equal(response.statusCode, 429)
  t.same(response.json(), { message: '429 Too Many Requests' })
  t.hasStrict(response.headers, { 'ratelimit-limit': '2', 'ratelimit-remaining': '0' })
  t.match(response.headers, { 'retry-after': /^\d+$/ })
})

onBothBackends(t, 'without workers alerts are accepted, and processed later in order', async (t, kind) => {
  const { send, worker, work, alerts } = await openAlertedProject(t, { kind })

  await worker.close(5000)
  const responses = await Promise.all([
    send({ title: 'Down' }),
    send({ title: 'Down', end_time: '2026-11-21T10:00:00Z' }),
    send({ title: 'Down' })
  ])

  for (const response of responses) {
    t.equal(response.statusCode, 202)
    t.same(response.json(), { message: '202 Accepted' })
  }
  await work('alerts')
  await eventually(async () => (await alerts()).length === 2, 'both are there')
  hasExactly(t, await alerts(), [
    { iid: 1, status: 'resolved', events: 1 },
    { iid: 2, status: 'triggered', events: 1 }
  ])
})

t.test('a request with a repeated idempotency key gets the same response and counts once', async t => {
  const { send, alerts } = await openAlertedProject(t)
  const key = { 'idempotency-key': 'one' }
  const payload = { title: 'Down' }
  const together = await Promise.all([send(payload, key), send(payload, key), send(payload, key)])

  for (const response of [...together, await send({ title: 'Something else' }, key)]) t.same(response.json(), [{ iid: 1, title: 'Down' }])
  hasExactly(t, await alerts(), [{ events: 1 }])
  t.equal((await alerts()).length, 1)
})

t.test('skipped items are logged and do not stop the others', async t => {
  const { send, alerts } = await openAlertedProject(t)
  const items = [anItem({ labels: {} }), anItem(), anItem({ startsAt: undefined, fingerprint: 'b' }), null, anItem({ fingerprint: 'c' })]
  const response = await send(aWebhook(items as never))

  t.equal(response.statusCode, 200)
  t.same(response.json(), [
    { iid: 1, title: 'HighLatency' },
    { iid: 2, title: 'HighLatency' }
  ])
  t.equal((await alerts()).length, 2)
})

t.test("a generic URL accepts Grafana's webhook, and refusals are JSON for all clients", async t => {
  const { send, key, alerts } = await openAlertedProject(t)
  const basic = { authorization: `Basic ${Buffer.from(`grafana:${key}`).toString('base64')}`, 'user-agent': 'Grafana' }
  const firing = aWebhook([anItem(), anItem({ fingerprint: 'b', annotations: { summary: 'Disk is full' } })], {
    version: '1',
    orgId: 1,
    title: '[FIRING:2]'
  })
  const ok = aWebhook([anItem({ status: 'resolved', endsAt: '2026-11-21T11:00:00Z' })], { version: '1', orgId: 1, title: '[RESOLVED]' })

  t.same((await send(firing, basic)).json(), [
    { iid: 1, title: 'HighLatency' },
    { iid: 2, title: 'Disk is full' }
  ])
  t.same((await send(ok, basic)).json(), [{ iid: 1, title: 'HighLatency' }])
  hasExactly(t, await alerts(), [
    { status: 'resolved', monitoringTool: 'Grafana' },
    { status: 'triggered', monitoringTool: 'Grafana' }
  ])

  const refused = await send({}, { authorization: 'Bearer no', accept: 'text/html' })
  t.equal(refused.statusCode, 401)
  t.same(refused.json(), { message: '401 Unauthorized' })
})
