import t, { type Test } from 'tap'
import { watch } from '#monitors/watch-monitors.ts'
import { openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

const valid = {
  name: 'Nightly report',
  schedule: '0 3 * * *',
  timezone: 'Europe/Berlin',
  margin_minutes: '5',
  max_run_minutes: '60',
  failure_threshold: '1',
  recovery_threshold: '1'
}

async function openMonitorPages(t: Test, env: Record<string, string> = {}) {
  const world = await openProject(t, { env })
  const visitor = new Visitor(world.app)
  const url = `/projects/${world.project.id}/monitors`

  await visitor.signIn()
  await visitor.get(`${url}/new`)

  return { ...world, visitor, url, page: async (path = '') => (await visitor.get(`${url}${path}`)).body }
}

function problemsOf(body: string) {
  return [...body.matchAll(/<p class="(?:error|problem)"[^>]*>([^<]+)</g)].map(([, text]) => text)
}

t.test('a monitor is made on a page, changed, muted and deleted', async t => {
  const { visitor, url, page } = await openMonitorPages(t)
  const { headers } = await visitor.post(url, valid)

  t.equal(headers.location, `${url}/nightly-report`)
  t.match(
    await page('/nightly-report'),
    /Monitor created\.[\s\S]+Nightly report[\s\S]+Expected at <code>0 3 \* \* \*<\/code> \(Europe\/Berlin\)/
  )
  t.match(await page('/nightly-report'), /curl -fsS http:\/\/[^?]+\/cron\/nightly-report\/\w+\/\?status=ok/)
  await visitor.post(`${url}/nightly-report`, { ...valid, name: 'Report', schedule: 'every 5 minutes' })
  t.match(await page(), /<strong>Report<\/strong><\/a> <span class="badge">waiting<\/span>[\s\S]+every 5 minutes/)
  await visitor.post(`${url}/nightly-report/mute`)
  t.match(await page(), '<span class="badge">muted</span>')
  await visitor.post(`${url}/nightly-report/unmute`)
  t.notMatch(await page(), '<span class="badge">muted</span>')
  await visitor.post(`${url}/nightly-report/deletion`)
  t.match(await page(), 'No monitors yet.')
  t.equal((await visitor.get(`${url}/nightly-report`)).statusCode, 404)
})

t.test('a form with faults names all of them and keeps what was entered', async t => {
  const { visitor, url } = await openMonitorPages(t)
  const { statusCode, body } = await visitor.post(url, { ...valid, schedule: 'sometimes', timezone: 'Berlin' })

  t.equal(statusCode, 400)
  t.same(problemsOf(body).length, 2)
  t.match(body, /value="sometimes"[\s\S]+value="Berlin"/)
  t.equal(problemsOf((await visitor.post(url, { ...valid, name: '', margin_minutes: '0', max_run_minutes: 'x' })).body).length, 3)
  await visitor.post(url, valid)
  t.match(problemsOf((await visitor.post(url, { ...valid, name: 'nightly REPORT' })).body)[0]!, /already been taken/)
  t.equal((await visitor.post(url, { ...valid, name: '…' })).statusCode, 400)
})

const validHttp = {
  name: 'Shop',
  url: 'https://shop.example/health',
  method: 'GET',
  interval_minutes: '5',
  expected_status: '2xx',
  body_text: 'ok',
  timeout_seconds: '10',
  certificate_days: '14',
  follow_redirects: 'true',
  headers: 'Accept: text/plain',
  failure_threshold: '1',
  recovery_threshold: '1'
}

t.test('a monitor of a URL is made on a page, changed and shown', async t => {
  const { visitor, url, page, platform, project } = await openMonitorPages(t)

  t.match(await page('/new?kind=http'), /name="timeout_seconds"[^>]*value="10"/)
  t.equal((await visitor.post(`${url}?kind=http`, validHttp)).headers.location, `${url}/shop`)
  t.match(await page('/shop'), /GET <code>https:\/\/shop\.example\/health<\/code> every 5 minutes, expecting 2xx and “ok” in the body\./)
  t.notMatch(await page('/shop'), 'sentry-cli')
  await visitor.post(`${url}/shop`, { ...validHttp, interval_minutes: '60', headers: 'Accept:', expected_status: '200, 3xx' })
  t.match(await page('/shop'), /every 60 minutes, expecting 200, 3xx/)
  t.match(await page(), 'https://shop.example/health · every 60 minutes')
  await platform.pool.query(
    `INSERT INTO monitor_runs (environment_id, slot, run, check_in_id, status, started_at, duration_ms, reason)
     SELECT e.id, n, n, gen_random_uuid(), CASE WHEN n = 3 THEN 'error' ELSE 'ok' END, now(), n * 100, CASE WHEN n = 3 THEN 'no answer within 10 s' END
     FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id, generate_series(1, 4) n WHERE m.project_id = $1`,
    [project.id]
  )
  t.match(await page('/shop'), 'no answer within 10 s')
  t.match(await page('/shop'), 'response time: median 200 ms, longest 400 ms')
  t.match(await page('/shop'), 'class="good" d="M482 24V18M487 24V12M497 24V0"')
  const { rows } = await platform.pool.query("SELECT name FROM audit_events WHERE details ->> 'target_id' = 'shop' ORDER BY id")

  t.same(
    rows.map(({ name }) => name),
    ['monitor_created', 'monitor_updated']
  )
})

t.test('a form of a URL with faults names all of them', async t => {
  const { visitor, url } = await openMonitorPages(t, { OUTBOUND_PRIVATE_NETWORKS: 'false' })
  const problems = async (fields: object) => problemsOf((await visitor.post(`${url}?kind=http`, { ...validHttp, ...fields })).body)

  t.equal((await problems({ url: 'ftp://shop.example', expected_status: 'fine', headers: 'Host: other' })).length, 3)
  t.equal((await problems({ timeout_seconds: '31', interval_minutes: '0', certificate_days: '-1', method: 'PUT' })).length, 4)
  for (const address of ['http://127.0.0.1/', 'http://localhost:8080/', 'http://[fd00::1]/', 'http://169.254.169.254/latest'])
    t.match(await problems({ url: address }), [/private network/], address)
  t.match(await problems({ url: 'https://ann:secret@shop.example/' }), [/Contains a password/])
  t.match(await problems({ headers: 'no colon' }), [/Need a name and a value/])
  t.match(await problems({ headers: 'Authorization:' }), [/Need a value/])
})

t.test('runs are shown by environment, and a deleted monitor resolves its alert', async t => {
  const { visitor, url, page, send, platform, project, call, work } = await openMonitorPages(t)
  const checkIn = (status: string, environment: string) =>
    send(`{}\n{"type":"check_in"}\n${JSON.stringify({ monitor_slug: 'backup', status, environment, duration: 75 })}\n`)
  const statuses = async () =>
    (await call('GET', `/projects/${project.id}/alert_management_alerts`)).body.map(({ status }: { status: string }) => status)

  await work('alerts')
  await checkIn('ok', 'production')
  await checkIn('error', 'staging')
  await eventually(async () => /failing/.test(await page()), 'the failure is shown')
  t.match(
    await page('/backup'),
    /production <span class="badge good">ok<\/span>[\s\S]+1 min[\s\S]+staging <span class="badge bad">failing<\/span>/
  )
  t.match(await page('/backup'), 'No schedule is known')
  await watch(platform, new Date())
  await eventually(async () => (await statuses())[0] === 'triggered', 'the failure is an alert')
  await visitor.post(`${url}/backup/deletion`)
  await eventually(async () => (await statuses())[0] === 'resolved', 'the alert is resolved')
})

t.test('developers manage monitors, reporters and strangers do not see them', async t => {
  const world = await openMonitorPages(t)
  const [reporter, developer, stranger] = [await aMember(world, 'rita'), await aMember(world, 'dev'), await aMember(world, 'eve')]

  await world.call('POST', `/projects/${world.project.id}/members`, { user_id: reporter.id, access_level: 20 })
  await world.call('POST', `/projects/${world.project.id}/members`, { user_id: developer.id, access_level: 30 })
  t.same(
    [await developer.get(world.url), await reporter.get(world.url), await stranger.get(world.url)].map(({ statusCode }) => statusCode),
    [200, 403, 404]
  )
  await developer.get(`${world.url}/new`)
  t.equal((await developer.post(world.url, valid)).statusCode, 303)
  t.equal((await reporter.post(world.url, valid)).statusCode, 403)
})
