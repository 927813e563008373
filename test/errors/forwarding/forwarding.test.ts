import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { readDsn } from '#errors/forwarding/dsn.ts'
import { maxWaiting } from '#errors/forwarding/forwarding-store.ts'
import { Visitor } from '../../pages/visitor.ts'
import { anEnvelope, anEventId, anException, openProject } from '../../support/factories.ts'
import { listen } from '../../support/listen.ts'
import { eventually, onBothBackends, type QueueKind } from '../../support/world.ts'

interface Received {
  url: string
  auth: string
  body: string
}

/** A tracker that takes envelopes, and answers as it is told. */
async function openTracker(t: Test) {
  const received: Received[] = []
  const answer = { status: 200, headers: {} as Record<string, string> }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []

    for await (const chunk of request) chunks.push(chunk)
    received.push({
      url: request.url!,
      auth: String(request.headers['x-sentry-auth'] ?? ''),
      body: gunzipSync(Buffer.concat(chunks)).toString()
    })
    response.writeHead(answer.status, answer.headers).end('{"detail":"so it is"}')
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())

  return { received, answer, dsn: `http://abc123@127.0.0.1:${(server.address() as AddressInfo).port}/tracker/42` }
}

async function openForwarding(t: Test, kind: QueueKind = 'postgres') {
  const world = await openProject(t, { kind, env: { OUTBOUND_PRIVATE_NETWORKS: 'true' } })
  const { app, platform, project, work } = world
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}/error_settings/forwarding`

  await visitor.signIn()
  await visitor.get(url)
  await work('deliveries')

  return {
    ...world,
    visitor,
    url,
    forward: async (dsn: string, isActive = true) => (await visitor.post(url, { dsn, ...(isActive && { active: 'true' }) })).statusCode,
    counts: async () =>
      (
        await platform.pool.query(
          `SELECT forwarded, refused, dropped, (SELECT count(*)::int FROM forwarded_envelopes) AS waiting FROM error_forwardings WHERE project_id = $1`,
          [project.id]
        )
      ).rows[0]
  }
}

t.test('a DSN is read in its parts', async t => {
  for (const [dsn, envelope] of [
    ['https://abc@sentry.io/42', 'https://sentry.io/api/42/envelope/'],
    [' https://abc@errors.example:8443/sub/path/7 ', 'https://errors.example:8443/sub/path/api/7/envelope/'],
    ['https://abc:secret@o1.ingest.sentry.io/7', 'https://o1.ingest.sentry.io/api/7/envelope/']
  ] as const)
    t.equal(readDsn(dsn).envelopeUrl.href, envelope)
  t.equal(readDsn('https://abc@sentry.io/42').securityUrl.href, 'https://sentry.io/api/42/security/?sentry_key=abc')
  for (const wrong of ['', 'abc', 'https://sentry.io/42', 'https://abc@sentry.io/', 'https://abc@sentry.io/shop', 'ftp://abc@sentry.io/42'])
    t.throws(() => readDsn(wrong), wrong)
})

onBothBackends(t, 'what a project receives is kept, and sent on to another DSN', async (t, kind) => {
  const { forward, send, key, app, project, untilStored, counts, platform } = await openForwarding(t, kind)
  const { received, dsn } = await openTracker(t)
  const id = anEventId()

  t.equal(await forward(dsn), 303)
  const envelope = anEnvelope({ ...anException(), event_id: id }, { event_id: id, dsn: key.sentry_dsn, sent_at: new Date().toISOString() })

  t.equal((await send(gzipSync(envelope), { 'content-encoding': 'gzip' })).statusCode, 200)
  const stored = await app.inject({
    method: 'POST',
    url: `/api/${project.id}/store/?sentry_key=${key.public_key}`,
    payload: { message: 'of old' }
  })

  t.equal(stored.statusCode, 200)
  await untilStored(2)
  await eventually(() => received.length === 2, 'both are sent on')
  const [first, second] = [received.find(({ body }) => body.includes(id))!, received.find(({ body }) => body.includes('of old'))!]

  t.equal(first.url, '/tracker/api/42/envelope/')
  t.match(first.auth, /sentry_key=abc123/)
  t.notMatch(first.body, key.public_key)
  t.equal(first.body.slice(first.body.indexOf('\n')), envelope.slice(envelope.indexOf('\n')), 'all but its header is unchanged')
  t.equal(JSON.parse(first.body.split('\n', 1)[0]!).event_id, id)
  t.match(second.body, /^\{\}\n\{"type":"event","length":\d+\}\n\{"message":"of old"\}$/)
  await eventually(async () => (await counts()).forwarded === 2, 'they are counted')
  t.same(await counts(), { forwarded: 2, refused: 0, dropped: 0, waiting: 0 })
  t.notMatch((await platform.pool.query('SELECT dsn FROM error_forwardings')).rows[0].dsn.toString('latin1'), 'abc123')
})

t.test('what two projects send to each other ends there', async t => {
  const { forward, send, call, app, project, untilStored, platform } = await openForwarding(t)
  const base = await listen(app)
  const { body: other } = await call('POST', '/projects', { name: `Other ${anEventId().slice(0, 6)}` })
  const errors = `/projects/${other.id}/error_tracking`

  await call('PUT', `${errors}/settings`, { active: true, integrated: true })
  const { body: otherKey } = await call('POST', `${errors}/client_keys`)
  const { body: ownKey } = await call('POST', `/projects/${project.id}/error_tracking/client_keys`)
  const dsnOf = (key: { public_key: string }, id: number) =>
    `${base.replace('//', `//${key.public_key}@`)}/errortracking/api/v1/projects/${id}`
  const visitor = new Visitor(app)

  await visitor.signIn()
  await visitor.get(`/projects/${other.id}/error_settings/forwarding`)
  t.equal(await forward(dsnOf(otherKey, other.id)), 303)
  await visitor.post(`/projects/${other.id}/error_settings/forwarding`, { dsn: dsnOf(ownKey, project.id), active: 'true' })
  await send(anEnvelope(anException()))
  await untilStored(1)
  await eventually(async () => (await call('GET', `${errors}/errors`)).body.length === 1, 'the other project has it')
  const { rows } = await platform.pool.query('SELECT sum(forwarded)::int AS forwarded, sum(dropped)::int AS dropped FROM error_forwardings')

  t.same(rows, [{ forwarded: 1, dropped: 0 }])
  t.equal((await call('GET', `${errors}/errors`)).body[0].event_count, 1)
})

t.test('a receiver that fails is left alone for a while, and gets what waited; one that refuses does not get it again', async t => {
  const { forward, send, untilStored, counts, platform, visitor, url } = await openForwarding(t)
  const { received, answer, dsn } = await openTracker(t)
  const problem = async () => (await platform.pool.query('SELECT problem, retry_at > now() AS pauses FROM error_forwardings')).rows[0]

  await forward(dsn)
  answer.status = 503
  await send(anEnvelope())
  await untilStored(1)
  await eventually(async () => (await problem()).pauses, 'it pauses')
  t.match((await problem()).problem, /answered 503: \{"detail":"so it is"\}/)
  t.match((await visitor.get(url)).body, /answered 503[\s\S]+tried again within minutes[\s\S]+Waiting<\/dt><dd>1</)
  await send(anEnvelope())
  await untilStored(2)
  t.equal(received.length, 1)

  answer.status = 200
  // Saving it again ends the pause.
  await forward('')
  await send(anEnvelope())
  await eventually(async () => (await counts()).forwarded === 3, 'all three are sent')
  answer.status = 403
  await send(anEnvelope())
  await eventually(async () => (await counts()).refused === 1, 'it is refused')
  t.hasStrict(await counts(), { forwarded: 3, waiting: 0 })
  Object.assign(answer, { status: 429, headers: { 'retry-after': '300' } })
  await send(anEnvelope())
  await eventually(async () => (await problem()).pauses, 'it pauses as long as it is asked to')
  const { rows } = await platform.pool.query('SELECT extract(epoch FROM retry_at - now()) AS seconds FROM error_forwardings')
  t.ok(rows[0].seconds > 250 && rows[0].seconds < 301)
})

t.test('only so much waits, and a new DSN, an old one that is off, or none at all get nothing of it', async t => {
  const { forward, send, untilStored, counts, platform, project, visitor, url, count } = await openForwarding(t)

  await forward('http://abc@127.0.0.1:9/1')
  await platform.pool.query("UPDATE error_forwardings SET retry_at = now() + interval '1 hour'")
  await platform.pool.query(
    `INSERT INTO forwarded_envelopes (project_id, id, encoding, body, received_at)
     SELECT $1, gen_random_uuid(), '', '{}', now() FROM generate_series(1, ${maxWaiting - 1})`,
    [project.id]
  )
  await send(anEnvelope())
  await untilStored(1)
  await send(anEnvelope())
  await untilStored(2)
  await eventually(async () => (await counts()).dropped === 1, 'the second has no room')
  t.equal((await counts()).waiting, maxWaiting)

  const { received, dsn } = await openTracker(t)
  await forward(dsn, false)
  t.same(await counts(), { forwarded: 0, refused: 0, dropped: 0, waiting: 0 })
  await send(anEnvelope())
  await eventually(async () => (await count()) === 3, 'it is stored')
  await visitor.post(`${url}/removal`)
  t.equal(await counts(), undefined)
  t.equal(received.length, 0)
})

t.test('a DSN that cannot be one is refused with what would be right', async t => {
  const { forward, visitor, url, key, project, app } = await openForwarding(t)

  t.equal(await forward(''), 400)
  t.equal(await forward('sentry.io/42'), 400)
  t.match(
    (await visitor.post(url, { dsn: 'sentry.io/42', active: 'true' })).body,
    'Enter a DSN such as https://0123456789abcdef@sentry.example.com/42'
  )
  const own = `${app.platform.config.baseUrl.replace('//', `//${key.public_key}@`)}/errortracking/api/v1/projects/${project.id}`

  t.match((await visitor.post(url, { dsn: own, active: 'true' })).body, 'This is the DSN of this project itself')
})
