import { gzipSync } from 'node:zlib'
import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, rootToken } from '../support/world.ts'

type World = Awaited<ReturnType<typeof openProject>>

/** Uploads files as `curl -F` does. */
async function upload(
  { app, project, key }: World,
  eventId: string,
  files: Record<string, File | string>,
  { root = '/api', isGzip = false } = {}
) {
  const form = new FormData()

  for (const [name, file] of Object.entries(files)) form.append(name, file)
  const request = new Request('http://tocsin.test', { method: 'POST', body: form })
  const payload = Buffer.from(await request.arrayBuffer())
  const headers = { 'content-type': request.headers.get('content-type')!, ...(isGzip && { 'content-encoding': 'gzip' }) }
  const url = `${root}/${project.id}/events/${eventId}/attachments/?sentry_key=${key.public_key}`
  const response = await app.inject({ method: 'POST', url, headers, payload: isGzip ? gzipSync(payload) : payload })

  return { status: response.statusCode, body: response.json() }
}

t.test('files that are uploaded for an event are its attachments', async t => {
  const world = await openProject(t)
  const { app, send, untilStored, call, path } = world
  const eventId = anEventId()
  const content = Buffer.from([0, 255, 10, 13, 45, 45, 10])

  await send(anEnvelope(anException(), { event_id: eventId }))
  const [error] = await untilStored(1)
  const log = new File([content], 'Übersicht "1".log', { type: 'text/plain' })

  t.same(await upload(world, eventId, { log, note: 'not a file', empty: new File([], 'empty.txt') }), { status: 200, body: {} })
  t.same(await upload(world, eventId.toUpperCase(), { dump: new File(['core'], 'core') }, { root: '/errortracking/api/v1/projects/api' }), {
    status: 200,
    body: {}
  })
  t.equal((await upload(world, eventId, { zipped: new File(['zipped'], 'zipped.txt') }, { isGzip: true })).status, 200)
  const url = `${path}/errors/${error.fingerprint}/events/${eventId}/attachments`
  const listed = await eventually(async () => {
    const { body } = await call('GET', url)

    return body.length === 4 && body
  }, 'all files are stored')
  const byName = (name: string) => listed.find(({ filename }: { filename: string }) => filename === name)

  hasExactly(t, byName('Übersicht "1".log'), { content_type: 'text/plain', size: content.length })
  t.equal(byName('empty.txt').size, 0)
  t.equal(byName('zipped.txt').size, 6)
  const file = await app.inject({
    url: `/api/v4${url}/${byName('Übersicht "1".log').id}`,
    headers: { 'private-token': rootToken }
  })

  t.same(file.rawPayload, content)
})

t.test('attachments are limited, counted in their category, and accepted when the quota of events is used up', async t => {
  const world = await openProject(t, { env: { ATTACHMENT_MAX_BYTES: '10', ENVELOPE_MAX_BYTES: '100000' }, isPrivate: true })
  const { call, path, platform, app } = world
  const id = anEventId()
  const file = (content: string) => new File([content], 'f.txt')
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, file('x')]))

  await call('PATCH', `${path}/settings`, { active: true, events_per_minute: 0 })
  t.equal((await upload(world, id, { a: file('small'), b: file('more than ten bytes') })).status, 200)
  t.hasStrict(await upload(world, id, many(31)), {
    status: 413,
    body: { detail: 'The envelope is too large: it may hold 30 attachments.' }
  })
  t.equal((await upload(world, id, many(120))).status, 413)
  t.equal((await upload(world, id, { a: file('x'.repeat(100_001)) })).status, 413)
  t.equal((await upload(world, id, { a: file('x'.repeat(100_001)) }, { isGzip: true })).status, 413)
  const outcomes = async () => {
    const { rows } = await platform.pool.query(
      `SELECT category, reason, items FROM error_dropped_counts WHERE category = 'attachment' UNION ALL SELECT category, '', items FROM error_stored_counts`
    )

    return rows
  }

  await eventually(async () => (await outcomes()).length === 2, 'both files are counted')
  t.same(
    (await outcomes()).toSorted((a, b) => a.reason.localeCompare(b.reason)),
    [
      { category: 'attachment', reason: '', items: 1 },
      { category: 'attachment', reason: 'too_large', items: 1 }
    ]
  )
  await app.close()
})

t.test('an upload without a valid event id, file or key is refused', async t => {
  const world = await openProject(t)
  const { app, project, key } = world
  const file = new File(['x'], 'f.txt')
  const post = (payload: string, type: string) =>
    app.inject({
      method: 'POST',
      url: `/api/${project.id}/events/${anEventId()}/attachments/?sentry_key=${key.public_key}`,
      headers: { 'content-type': type },
      payload
    })

  t.hasStrict(await upload(world, 'none', { file }), { status: 400, body: { detail: 'The event id in the path is not a UUID.' } })
  t.hasStrict(await upload(world, anEventId(), { note: 'text' }), {
    status: 400,
    body: { detail: 'There is no file: send multipart/form-data with files.' }
  })
  t.equal((await upload({ ...world, key: { public_key: 'wrong' } }, anEventId(), { file })).status, 403)
  for (const [payload, type] of [
    ['', 'text/plain'],
    ['--b\r\nnonsense', 'multipart/form-data; boundary=b'],
    ['x', 'multipart/form-data']
  ] as const) {
    const { statusCode, body } = await post(payload, type)

    t.equal(statusCode, 400, `${type}: ${body}`)
  }
})
