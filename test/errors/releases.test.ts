import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually } from '../support/world.ts'

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const anItem = (type: string, payload: object | string, header: object = {}) =>
  `${JSON.stringify({ type, ...header })}\n${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n`
const sessionsOf = (release: string, environment: string, bucket: object, hours = 0) =>
  anItem('sessions', { aggregates: [{ started: hoursAgo(hours), ...bucket }], attrs: { release, environment } })

t.test('a release shows its crash-free rate and adoption', async t => {
  const { call, path, send, untilStored } = await openProject(t)

  // An event makes its release known without any session.
  await send(anEnvelope({ ...anException(), release: 'shop@1.0.0', timestamp: hoursAgo(50) }))
  await untilStored(1)
  await send(`{}\n${sessionsOf('shop@2.0.0', 'live', { exited: 80, errored: 10, crashed: 10 })}`)
  await send(`{}\n${sessionsOf('shop@2.0.0', 'test', { exited: 50 })}`)
  await send(`{}\n${sessionsOf('shop@2.0.0', 'live', { exited: 100 }, 30)}`)
  await send(`{}\n${sessionsOf('shop/3', 'live', { exited: 5 })}${sessionsOf('shop@3.0.0', 'live', { exited: 48, abnormal: 2 })}`)
  const releases = await eventually(async () => {
    const { body } = await call('GET', `${path}/releases?sort=first_seen_asc`)
    const sessions = body.reduce((sum: number, release: { sessions: number }) => sum + release.sessions, 0)
    return sessions >= 300 && body
  }, 'all sessions are counted')

  t.hasStrict(releases[0], { version: 'shop@1.0.0', sessions: 0, crash_free_rate: null, adoption_24h: 0 })
  t.hasStrict(
    releases.find(({ version }: { version: string }) => version === 'shop@2.0.0'),
    {
      sessions: 250,
      errored: 10,
      crashed: 10,
      abnormal: 0,
      crash_free_rate: 0.96,
      adoption_24h: 0.75
    }
  )
  t.hasStrict(
    releases.find(({ version }: { version: string }) => version === 'shop@3.0.0'),
    { sessions: 50, abnormal: 2, crash_free_rate: 1, adoption_24h: 0.25 }
  )
  t.hasStrict(
    (await call('GET', `${path}/releases?environment=test&per_page=100`)).body.find(
      ({ version }: { version: string }) => version === 'shop@2.0.0'
    ),
    {
      sessions: 50,
      adoption_24h: 1
    }
  )

  const { body: day } = await call('GET', `${path}/releases/${encodeURIComponent('shop@2.0.0')}`)
  hasExactly(t, day, { version: 'shop@2.0.0', sessions: 250, environments: [{ environment: 'live' }, { environment: 'test' }] })
  t.equal(day.environments[0].series.length, 24)
  t.hasStrict(day.environments[0].series.at(-1).sessions + day.environments[0].series.at(-2).sessions, 100)
  const { body: month } = await call('GET', `${path}/releases/${encodeURIComponent('shop@2.0.0')}?stats_period=30d`)
  const sum = (points: { sessions: number }[]) => points.reduce((sum, { sessions }) => sum + sessions, 0)
  t.same(
    month.environments.map(({ series }: { series: { sessions: number }[] }) => [series.length, sum(series)]),
    [
      [30, 200],
      [30, 50]
    ]
  )
  t.hasStrict(await call('GET', `${path}/releases/nothing`), { status: 404, body: { message: '404 Release Not Found' } })
  t.equal((await call('GET', `${path}/releases?sort=size`)).status, 400)
})

t.test('feedback is listed with its error, and attachments with their event', async t => {
  const { app, call, path, send, project, untilStored } = await openProject(t)
  const [eventId, other] = [anEventId(), anEventId()]
  const report = (event_id: string, comments: string) => anItem('user_report', { event_id, name: 'Ada', email: 'ada@shop.test', comments })
  const page = '<script>alert(1)</script>'

  await send(
    `${anEnvelope(anException('A'), { event_id: eventId })}${report(eventId, 'It broke')}` +
      anItem('attachment', page, { filename: "Übersicht'1.html", content_type: 'text/html', length: page.length })
  )
  await send(`${anEnvelope(anException('B'), { event_id: other })}${report(other, 'This too')}`)
  await send(`{}\n${report(anEventId(), 'Something else')}`)
  const errors = await untilStored(2)
  const find = (name: string) => errors.find((error: { name: string }) => error.name === name).fingerprint
  const all = await eventually(async () => {
    const { body } = await call('GET', `${path}/feedback`)
    return body.length === 3 && body
  }, 'all feedback is there')

  t.hasStrict(
    all.find(({ comments }: { comments: string }) => comments === 'It broke'),
    { event_id: eventId, fingerprint: find('A'), name: 'Ada', email: 'ada@shop.test' }
  )
  t.hasStrict(
    all.find(({ comments }: { comments: string }) => comments === 'Something else'),
    { fingerprint: null }
  )
  hasExactly(t, (await call('GET', `${path}/errors/${find('B')}/feedback`)).body, [{ comments: 'This too' }])
  t.match((await call('GET', `${path}/feedback?per_page=1`)).headers.link, /rel="next"/)

  const files = `${path}/errors/${find('A')}/events/${eventId}/attachments`
  const { body: listed } = await call('GET', files)
  hasExactly(t, listed, [{ filename: "Übersicht'1.html", content_type: 'text/html', size: page.length }])
  const file = await call('GET', `${files}/${listed[0].id}`)
  t.equal(String(file.body), page)
  t.hasStrict(file.headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="_bersicht'1.html"; filename*=UTF-8''%C3%9Cbersicht%271.html`,
    'x-content-type-options': 'nosniff'
  })
  t.match(file.headers, { 'content-security-policy': /sandbox/ })
  t.equal((await call('GET', `${files.replace(eventId, 'latest')}/${listed[0].id}`)).status, 200)
  t.equal((await call('GET', `${path}/errors/${find('B')}/events/${other}/attachments/${listed[0].id}`)).status, 404, 'of another event')
  t.equal((await call('GET', `${path}/errors/${find('B')}/events/${eventId}/attachments`)).status, 404, 'of another error')
  const headers = { 'private-token': 'glpat-root-token-for-the-tests' }
  t.equal((await app.inject({ url: `/errortracking/api/v1${files.replace('/error_tracking', '')}`, headers })).statusCode, 200)
  t.equal((await app.inject({ url: `/errortracking/api/v1/projects/${project.id}/feedback`, headers })).json().length, 3)
})
