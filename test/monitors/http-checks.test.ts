import t, { type Test } from 'tap'
import { checkMonitors as check } from '#monitors/check-monitors.ts'
import { takeDueChecks } from '#monitors/http-check-store.ts'
import { checkMonitors } from '#monitors/jobs.ts'
import { Visitor } from '../pages/visitor.ts'
import { openProject } from '../support/factories.ts'
import { eventually, onBothBackends, type QueueKind } from '../support/world.ts'
import { openTarget } from './http-server.ts'

const minute = 60_000

const defaults = {
  name: 'Shop',
  method: 'GET',
  interval_minutes: '1',
  expected_status: '2xx',
  body_text: '',
  timeout_seconds: '10',
  certificate_days: '14',
  follow_redirects: 'true',
  headers: '',
  failure_threshold: '1',
  recovery_threshold: '1'
}

async function openChecks(t: Test, kind: QueueKind = 'postgres') {
  const world = await openProject(t, { kind, env: { OUTBOUND_PRIVATE_NETWORKS: 'true' } })
  const { platform, project, app, call } = world
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}/monitors`
  let firstRound: number | undefined
  const rows = async (sql: string, params: unknown[] = [project.id]) => (await platform.pool.query(sql, params)).rows

  await visitor.signIn()
  await world.work('alerts')

  return {
    ...world,
    visitor,
    url,
    rows,
    add: (fields: Record<string, string>) => visitor.post(`${url}?kind=http`, { ...defaults, ...fields }),
    /** A round of checks, so long after the first one. */
    later: (ms: number) => {
      firstRound ??= Date.now()

      return check({ ...platform, config: world.config }, new Date(firstRound + ms))
    },
    runs: () =>
      rows(
        `SELECT m.slug, r.run, r.status, r.reason FROM monitor_runs r JOIN monitor_environments e ON e.id = r.environment_id
         JOIN monitors m ON m.id = e.monitor_id WHERE m.project_id = $1 ORDER BY 1, 2`
      ),
    alerts: async () =>
      (await call('GET', `/projects/${project.id}/alert_management_alerts?sort=asc`)).body.map(
        ({ title, status, environment }: { title: string; status: string; environment: unknown }) => [title, status, environment]
      )
  }
}

/** As a project with many monitors has them. */
async function addMany({ rows, project }: Awaited<ReturnType<typeof openChecks>>, url: string, count: number) {
  await rows(
    `WITH added AS (INSERT INTO monitors (project_id, slug, name, kind, schedule, http)
       SELECT $1, 'many-' || n, 'Many ' || n, 'http', '{"type":"interval","value":1,"unit":"minute"}', $2 FROM generate_series(1, $3) n RETURNING id)
     INSERT INTO monitor_environments (monitor_id, environment, check_at) SELECT id, '', now() - interval '1 day' FROM added`,
    [
      project.id,
      {
        url,
        method: 'GET',
        expectedStatus: '2xx',
        bodyText: '',
        timeoutSeconds: 30,
        followsRedirects: true,
        certificateDays: 14,
        headerNames: []
      },
      count
    ]
  )
}

onBothBackends(t, 'a failed check opens an alert with its reason, and a good one resolves it', async (t, kind) => {
  const { work, platform, add, runs, alerts, rows } = await openChecks(t, kind)
  const target = await openTarget(t, response => response.writeHead(503).end())
  const isRun = async (count: number) => {
    await platform.queues.enqueue(checkMonitors, {})
    await eventually(async () => (await runs()).length === count, `run ${count} has ended`)
  }

  await work('checks')
  t.equal((await add({ url: target.url })).statusCode, 303)
  await isRun(1)
  await eventually(async () => (await alerts()).length === 1, 'the failure is an alert')
  t.same(await alerts(), [['Shop failed: 503 in place of 2xx', 'triggered', null]])

  target.answer = response => response.end()
  await rows('UPDATE monitor_environments SET check_at = now() WHERE monitor_id IN (SELECT id FROM monitors WHERE project_id = $1)')
  await isRun(2)
  await eventually(async () => (await alerts())[0][1] === 'resolved', 'the good check resolves it')
  t.same(await runs(), [
    { slug: 'shop', run: 1, status: 'error', reason: '503 in place of 2xx' },
    { slug: 'shop', run: 2, status: 'ok', reason: null }
  ])
})

t.test('thresholds decide, and a muted monitor opens no alert', async t => {
  const { add, later, rows, visitor, url } = await openChecks(t)
  const target = await openTarget(t, response => response.writeHead(500).end())
  const pending = async () =>
    (await rows('SELECT FROM alerts WHERE project_id = $1')).length +
    (await rows('SELECT FROM monitor_alerts WHERE project_id = $1')).length

  await add({ url: target.url, failure_threshold: '2' })
  await visitor.post(`${url}/shop/mute`)
  await later(0)
  await later(minute)
  t.equal(await pending(), 0)
  t.hasStrict(
    await rows('SELECT e.state, e.failures FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id WHERE project_id = $1'),
    [{ state: 'failing', failures: 2 }]
  )
})

t.test('rounds at the same time do each check once, and what was missed is done once', async t => {
  const world = await openChecks(t)
  const target = await openTarget(t)

  await addMany(world, target.url, 150)
  await Promise.all([world.later(0), world.later(0), world.later(0)])
  t.equal(target.asked.length, 150)
  await world.later(0)
  t.equal(target.asked.length, 150, 'a day late, they are not due again')
  await world.later(minute)
  t.equal(target.asked.length, 300)
  t.equal((await world.runs()).length, 300)
})

t.test('slow targets of a project delay no other project', async t => {
  const slow = await openChecks(t)
  const held: (() => void)[] = []
  const silent = await openTarget(t, response => void held.push(() => response.end()))
  const target = await openTarget(t)
  const { body: other } = await slow.call('POST', '/projects', { name: 'Other' })

  await addMany(slow, silent.url, 250)
  await addMany({ ...slow, project: other }, target.url, 1)
  const round = slow.later(0)
  const stored = () =>
    slow.rows('SELECT FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id WHERE project_id = $1 AND e.runs = 1', [other.id])

  await eventually(async () => (await stored()).length === 1, 'the other one is checked and stored')
  t.ok(silent.asked.length < 100, `${silent.asked.length} requests to slow targets are in flight`)
  silent.answer = response => response.end()
  for (const end of held) end()
  await round
  t.equal(silent.asked.length, 250)
})

t.test('a check whose worker died is done again, without an alert', async t => {
  const { add, later, platform, runs, rows, project } = await openChecks(t)
  const { url, asked } = await openTarget(t)

  await add({ url })
  const [lost] = await takeDueChecks(platform.fork(), { at: new Date(), limit: 10, busy: [] })

  t.equal(lost!.projectId, project.id)
  await later(0)
  t.same(asked, [], 'no one does it meanwhile')
  await later(minute)
  t.same(await runs(), [{ slug: 'shop', run: 1, status: 'ok', reason: null }])
  t.equal((await rows('SELECT FROM monitor_alerts WHERE project_id = $1')).length, 0)
})

t.test('header values are encrypted, sent, kept, and never led to a new address', async t => {
  const { add, later, rows, visitor, url } = await openChecks(t)
  const [target, other] = [await openTarget(t), await openTarget(t)]
  const change = (fields: Record<string, string>) => visitor.post(`${url}/shop`, { ...defaults, ...fields })

  await add({ url: target.url, headers: 'Authorization: Bearer s3cret\r\nX-Team: shop' })
  await later(0)
  t.hasStrict(target.asked[0]!.headers, { authorization: 'Bearer s3cret', 'x-team': 'shop' })
  const [stored] = await rows('SELECT http::text, http_headers FROM monitors WHERE project_id = $1')

  t.notMatch(stored.http + stored.http_headers.toString('latin1'), 's3cret')
  t.notMatch((await visitor.get(`${url}/shop`)).body, 's3cret')
  t.equal((await change({ url: `${target.url}health`, headers: 'Authorization:' })).statusCode, 303)
  await later(2 * minute)
  t.hasStrict(target.asked[1]!.headers, { authorization: 'Bearer s3cret' })
  t.notOk(target.asked[1]!.headers['x-team'])
  t.match((await change({ url: other.url, headers: 'Authorization:' })).body, /not sent to a new address/)
  t.equal((await change({ url: other.url, headers: 'Authorization: new' })).statusCode, 303)
})

t.test('a monitor of a URL takes no check-ins', async t => {
  const { add, send, runs, rows } = await openChecks(t)

  await add({ url: 'http://127.0.0.1:1/' })
  await send(
    '{}\n{"type":"check_in"}\n{"monitor_slug":"shop","status":"ok","monitor_config":{"schedule":{"type":"crontab","value":"@daily"}}}\n'
  )
  await send('{}\n{"type":"check_in"}\n{"monitor_slug":"other","status":"ok"}\n')
  await eventually(async () => (await runs()).length === 1, 'the check-in of the other one is stored')
  t.hasStrict(await runs(), [{ slug: 'other' }])
  t.hasStrict(await rows("SELECT schedule FROM monitors WHERE project_id = $1 AND slug = 'shop'"), [
    { schedule: { type: 'interval', value: 1, unit: 'minute' } }
  ])
})

t.test('an archived project is not checked', async t => {
  const { add, later, call, project } = await openChecks(t)
  const { url, asked } = await openTarget(t)

  await add({ url })
  await call('POST', `/projects/${project.id}/archive`)
  await later(0)
  t.same(asked, [])
})
