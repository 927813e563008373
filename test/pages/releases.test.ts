import t from 'tap'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'
import { Visitor } from './visitor.ts'

function aSessionEnvelope(release: string, counts: { exited: number; crashed: number }) {
  const payload = JSON.stringify({
    attrs: { release, environment: 'production' },
    aggregates: [{ started: new Date().toISOString(), errored: 0, ...counts }]
  })

  return `{}\n{"type":"sessions","length":${Buffer.byteLength(payload)}}\n${payload}\n`
}

function aUserSession(release: string, session: object) {
  const payload = JSON.stringify({ started: new Date().toISOString(), attrs: { release, environment: 'production' }, ...session })

  return `{}\n{"type":"session","length":${Buffer.byteLength(payload)}}\n${payload}\n`
}

t.test('the pages of releases show health, new and regressed errors, and compare two', async t => {
  const { app, call, project, path, send, untilStored, errors } = await openProject(t)
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}/releases`
  const page = async (query: string) => (await visitor.get(url + query)).body

  await visitor.signIn()
  t.match(await page(''), /No releases yet[\s\S]+\/setup"/)

  await send(anEnvelope({ release: 'shop@1.0.0', ...anException('OldError') }))
  await untilStored(1)
  const [old] = await errors()
  await call('PUT', `${path}/errors/${old.fingerprint}`, { status: 'resolved' })
  await send(anEnvelope({ release: 'shop@2.0.0', ...anException('OldError') }))
  await send(anEnvelope({ release: 'shop@2.0.0', ...anException('NewError', '<b>new</b>', ['other']) }))
  await untilStored(3)
  await send(aSessionEnvelope('shop@2.0.0', { exited: 99, crashed: 1 }))
  for (const [did, sid, seq, status] of [
    ['ann', '1', 1, 'ok'],
    ['ann', '1', 2, 'exited'],
    ['bob', '2', 1, 'ok'],
    ['bob', '2', 2, 'crashed'],
    ['bob', '2', 2, 'crashed'],
    [17, '3', 1, 'exited'],
    ['ann', '4', 1, 'errored']
  ])
    await send(aUserSession('shop@2.0.0', { did, sid, seq, status }))
  await eventually(
    async () => /"Crash-free users">66.7\u00a0%[\s\S]*"Crash-free sessions">98.1\u00a0%/.test(await page('')),
    'sessions and users are counted, each user once'
  )

  t.match(
    await page(''),
    /shop%402.0.0"><strong>shop@2.0.0[\s\S]+rect width="100"[\s\S]+100\u00a0%[\s\S]+66.7\u00a0%[\s\S]+98.1\u00a0%[\s\S]+"New errors">1<[\s\S]+"Regressed errors">1<[\s\S]+shop@1.0.0[\s\S]+"Crash-free users" class="nothing">–</
  )
  t.match(await page(''), 'Adoption and crash-free rates are of the last 24 hours.')
  const release = await page('/shop%402.0.0')
  const [, created, rest] = /<h2>New errors<\/h2>([\s\S]+)<h2>Regressed errors<\/h2>([\s\S]+)/.exec(release)!
  t.match(created, /NewError[\s\S]+&#60;b&#62;new/)
  t.notMatch(created, /OldError/)
  t.match(rest, /OldError[\s\S]+No source maps were uploaded for this release. No minified script without one was seen/)
  t.notMatch(rest, 'Every minified script')
  t.match(release, /aria-label="Crash-free sessions. production: 98.1\u00a0% to 98.1/)
  t.match(release, /aria-label="Adoption. share of all sessions: 100/)
  t.match(release, /<dt>crash-free users<\/dt><dd>66.7\u00a0%/)
  t.match(release, /aria-label="Crash-free users, by day. production: 66.7\u00a0% to 66.7\u00a0%, last 66.7/)
  t.match(await page('/shop%402.0.0?period=30d'), /aria-current="page">30 days</)
  t.equal((await visitor.get(`${url}/shop%409`)).statusCode, 404)

  const compared = await page('/compare?from=shop%401.0.0&to=shop%402.0.0')
  const [, onlyNew, onlyOld] = /<h2>Only in shop@2.0.0<\/h2>([\s\S]+)<h2>Only in shop@1.0.0<\/h2>([\s\S]+)/.exec(compared)!
  t.match(onlyNew, /NewError/)
  t.notMatch(`${onlyNew}${onlyOld}`, /OldError/, 'both releases have it')
  t.match(compared, /Crash-free sessions<\/th><td>–<\/td><td>98.1[\s\S]+Crash-free users per day<\/th><td>–<\/td><td>66.7/)
})

t.test('releases are paged in both directions', async t => {
  const { app, project, platform } = await openProject(t)
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}/releases`

  await visitor.signIn()
  await platform.pool.query(
    `INSERT INTO error_releases (project_id, version, first_seen_at, last_seen_at)
     SELECT $1, 'v' || n, date_trunc('hour', now()) - n * interval '1 hour', now() FROM generate_series(1, 60) n`,
    [project.id]
  )
  const versions = (body: string) => [...body.matchAll(/<strong>(v\d+)</g)].map(([, version]) => version)
  const follow = async (body: string, rel: string) => {
    const [, href] = new RegExp(`rel="${rel}" href="([^"]+)"`).exec(body)!

    return (await visitor.get(href!)).body
  }
  const first = (await visitor.get(url)).body
  const second = await follow(first, 'next')
  const third = await follow(second, 'next')

  t.same(
    [first, second, third].map(body => [versions(body)[0], versions(body).at(-1), versions(body).length]),
    [
      ['v1', 'v25', 25],
      ['v26', 'v50', 25],
      ['v51', 'v60', 10]
    ]
  )
  t.same(versions(await follow(third, 'prev')), versions(second))
  t.same(versions(await follow(await follow(third, 'prev'), 'prev')), versions(first))
  t.notMatch(first, /rel="prev"/)
  t.notMatch(third, /rel="next"/)
})

t.test('statistics show the outcomes of items by day and by reason', async t => {
  const { app, call, path, project, platform } = await openProject(t)
  const visitor = new Visitor(app)
  const today = new Date().toISOString().slice(0, 10)

  await visitor.signIn()
  const url = `/projects/${project.id}/statistics`
  const { body: web } = await call('POST', `${path}/client_keys`, { name: '<b>web' })

  t.match((await visitor.get(url)).body, /Nothing was received in this period/)
  await platform.pool.query(
    `INSERT INTO error_stored_counts VALUES ($1, $2, 'error', 5, $3), ($1, $2, 'session', 2, 999), ($1, $2, 'error', 0, 0)`,
    [project.id, today, web.id]
  )
  await platform.pool.query(`INSERT INTO error_dropped_counts VALUES ($1, $2, 'error', 'too_large', 3, 0)`, [project.id, today])
  await platform.pool.query(`INSERT INTO error_client_discards VALUES ($1, $2, 'error', 'sample_rate', 12, 0)`, [project.id, today])
  const { body } = await visitor.get(`${url}?days=7`)

  t.match(
    body,
    /<dt>received<\/dt><dd>10<[\s\S]+<dt>stored<\/dt><dd>7<[\s\S]+<dt>dropped<\/dt><dd>3<[\s\S]+<dt>lost before sending<\/dt><dd>12</
  )
  t.match(body, /<td>too large<\/td><td>3<\/td><td class="hint">Above a size limit[\s\S]+<td>sample rate<\/td><td>12<\/td>/)
  t.equal(body.match(/class="hit"/g)?.length, 35, 'five charts of seven days')
  t.equal(body.match(/Show as table/g)?.length, 5, 'each with its table')
  t.match(body, /aria-label="By outcome. stored: 0 to 7, last 7; dropped: 0 to 3, last 3"/)
  t.match(body, /aria-label="By category. error: 0 to 8, last 8; session: 0 to 2, last 2"/)
  t.match(
    body,
    /aria-label="By client key. &#60;b&#62;web: 0 to 5, last 5; before keys were counted: 0 to 3, last 3; Deleted key \(ID 999\): 0 to 2, last 2"/
  )

  const ofKey = (await visitor.get(`${url}?days=7&key=${web.id}`)).body
  t.match(ofKey, /<dt>received<\/dt><dd>5<[\s\S]+By client key. &#60;b&#62;web: 0 to 5, last 5"/)
  t.match(ofKey, new RegExp(`statistics\\?days=30&#38;key=${web.id}`), 'the period keeps the filter')
  t.match((await visitor.get(`${url}?category=session`)).body, /value="session" selected[\s\S]+<dt>received<\/dt><dd>2</)
  for (const query of ['key=x', 'category=%3Cb%3E', 'key=1&key=2', 'days=1e9'])
    t.equal((await visitor.get(`${url}?${query}`)).statusCode, 200)
  t.match((await visitor.get(`/projects/${project.id}/statistics?days=x`)).body, /aria-current="page">30 days</)
})
