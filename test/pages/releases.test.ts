import t from 'tap'
import { anEnvelope, anException, aProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'
import { Visitor } from './visitor.ts'

function aSessionEnvelope(release: string, counts: { exited: number; crashed: number }) {
  const payload = JSON.stringify({
    attrs: { release, environment: 'production' },
    aggregates: [{ started: new Date().toISOString(), errored: 0, ...counts }]
  })

  return `{}\n{"type":"sessions","length":${Buffer.byteLength(payload)}}\n${payload}\n`
}

t.test('the pages of releases show health, new and regressed errors, and compare two', async t => {
  const { app, call, project, path, send, untilStored, errors } = await aProject(t)
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}/releases`
  const page = async (query: string) => (await visitor.get(url + query)).body

  await visitor.signIn()
  t.match(await page(''), /No release was seen yet[\s\S]+\/setup"/)

  await send(anEnvelope({ release: 'shop@1.0.0', ...anException('OldError') }))
  await untilStored(1)
  const [old] = await errors()
  await call('PUT', `${path}/errors/${old.fingerprint}`, { status: 'resolved' })
  await send(anEnvelope({ release: 'shop@2.0.0', ...anException('OldError') }))
  await send(anEnvelope({ release: 'shop@2.0.0', ...anException('NewError', '<b>new</b>', ['other']) }))
  await untilStored(3)
  await send(aSessionEnvelope('shop@2.0.0', { exited: 99, crashed: 1 }))
  await eventually(async () => /99\u00a0% crash-free sessions/.test(await page('')), 'the sessions are counted')

  t.match(
    await page(''),
    /shop%402.0.0"><strong>shop@2.0.0[\s\S]+1 new error · 99\u00a0% crash-free sessions · 100\u00a0% adoption[\s\S]+shop@1.0.0/
  )
  const release = await page('/shop%402.0.0')
  const [, created, rest] = /<h2>New errors<\/h2>([\s\S]+)<h2>Regressed errors<\/h2>([\s\S]+)/.exec(release)!
  t.match(created, /NewError[\s\S]+&#60;b&#62;new/)
  t.notMatch(created, /OldError/)
  t.match(rest, /OldError[\s\S]+No source maps were uploaded/)
  t.match(release, /aria-label="Crash-free sessions. production: 99\u00a0% to 99/)
  t.match(release, /aria-label="Adoption. share of all sessions: 100/)
  t.match(await page('/shop%402.0.0?period=30d'), /aria-current="page">30d</)
  t.equal((await visitor.get(`${url}/shop%409`)).statusCode, 404)

  const compared = await page('/compare?from=shop%401.0.0&to=shop%402.0.0')
  const [, onlyNew, onlyOld] = /<h2>Only in shop@2.0.0<\/h2>([\s\S]+)<h2>Only in shop@1.0.0<\/h2>([\s\S]+)/.exec(compared)!
  t.match(onlyNew, /NewError/)
  t.notMatch(`${onlyNew}${onlyOld}`, /OldError/, 'both releases have it')
  t.match(compared, /Crash-free<\/th><td>no sessions<\/td><td>99/)
})

t.test('releases are paged in both directions', async t => {
  const { app, project, platform } = await aProject(t)
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
  const { app, project, platform } = await aProject(t)
  const visitor = new Visitor(app)
  const today = new Date().toISOString().slice(0, 10)

  await visitor.signIn()
  await platform.pool.query(`INSERT INTO error_keeps VALUES ($1, $2, 'error', 7)`, [project.id, today])
  await platform.pool.query(`INSERT INTO error_drops VALUES ($1, $2, 'error', 'too_large', 3)`, [project.id, today])
  await platform.pool.query(`INSERT INTO error_losses VALUES ($1, $2, 'error', 'sample_rate', 12)`, [project.id, today])
  const { body } = await visitor.get(`/projects/${project.id}/statistics?days=7`)

  t.match(
    body,
    /<dt>received<\/dt><dd>10<[\s\S]+<dt>stored<\/dt><dd>7<[\s\S]+<dt>dropped<\/dt><dd>3<[\s\S]+<dt>lost before sending<\/dt><dd>12</
  )
  t.match(body, /<td>too large<\/td><td>3<\/td>[\s\S]+<td>sample rate<\/td><td>12<\/td>/)
  t.equal(body.match(/class="hit"/g)?.length, 14, 'two charts of seven days')
  t.match((await visitor.get(`/projects/${project.id}/statistics?days=x`)).body, /aria-current="page">30 days</)
})
