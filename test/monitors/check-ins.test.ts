import t, { type Test } from 'tap'
import { watch } from '#monitors/watch-monitors.ts'
import { anEventId, openProject } from '../support/factories.ts'
import { eventually, onBothBackends, type QueueKind } from '../support/world.ts'

const minute = 60_000
const everyMinute = { schedule: { type: 'interval', value: 1, unit: 'minute' }, checkin_margin: 1, max_runtime: 2 }

async function openMonitors(t: Test, kind: QueueKind = 'postgres') {
  const world = await openProject(t, { kind })
  const { platform, project, send, call, key, app } = world
  const rows = async (sql: string) => (await platform.pool.query(sql, [project.id])).rows

  await world.work('alerts')

  return {
    ...world,
    checkIn: (fields: object, count = 1) =>
      send(`{}\n${`{"type":"check_in"}\n${JSON.stringify({ monitor_slug: 'backup', status: 'ok', ...fields })}\n`.repeat(count)}`),
    curl: (path: string, options: { method?: 'GET' | 'POST'; payload?: string } = {}) =>
      app.inject({ method: 'GET', url: `/api/${project.id}/cron/${path.replace('KEY', key.public_key)}`, ...options }),
    monitors: () =>
      rows(
        'SELECT slug, schedule, timezone, margin_minutes, max_run_minutes, failure_threshold FROM monitors WHERE project_id = $1 ORDER BY slug'
      ),
    runs: () =>
      rows(
        `SELECT m.slug, e.environment, r.run, r.status, r.duration_ms FROM monitor_runs r JOIN monitor_environments e ON e.id = r.environment_id
         JOIN monitors m ON m.id = e.monitor_id WHERE m.project_id = $1 ORDER BY 1, 2, 3`
      ),
    untilRuns: (count: number) =>
      eventually(
        async () =>
          (
            await rows(
              `SELECT FROM monitor_runs r JOIN monitor_environments e ON e.id = r.environment_id JOIN monitors m ON m.id = e.monitor_id
             WHERE m.project_id = $1 AND r.status <> 'in_progress'`
            )
          ).length >= count,
        `${count} runs have ended`
      ),
    /** Looks at all monitors as if so much time had passed. */
    later: (ms: number) => watch(platform, new Date(Date.now() + ms)),
    alerts: async () =>
      (await call('GET', `/projects/${project.id}/alert_management_alerts?sort=asc`)).body.map(
        ({ title, status, environment }: { title: string; status: string; environment: { name: string } }) => [
          title,
          status,
          environment.name
        ]
      )
  }
}

t.test('a batch makes no more monitors and environments than a project may have', async t => {
  const { send, project, platform, untilRuns } = await openMonitors(t)
  const count = async (sql: string) => Number((await platform.pool.query(`SELECT count(*) FROM ${sql}`, [project.id])).rows[0].count)

  await platform.pool.query("INSERT INTO monitors (project_id, slug, name) SELECT $1, 'job-' || n, 'Job' FROM generate_series(1, 9998) n", [
    project.id
  ])
  const checkIns = [
    ...Array.from({ length: 5 }, (_, n) => ({ monitor_slug: `more-${n}`, status: 'ok' })),
    ...Array.from({ length: 25 }, (_, n) => ({ monitor_slug: 'job-1', status: 'ok', environment: `stage-${n}` }))
  ]
  await send(`{}\n${checkIns.map(one => `{"type":"check_in"}\n${JSON.stringify(one)}\n`).join('')}`)
  await untilRuns(22)
  t.equal(await count('monitors WHERE project_id = $1'), 10_000)
  t.equal(await count("monitor_environments e JOIN monitors m ON m.id = e.monitor_id WHERE m.project_id = $1 AND m.slug = 'job-1'"), 20)
})

onBothBackends(t, 'the first check-in makes the monitor; begin and end of a run are one run', async (t, kind) => {
  const { checkIn, monitors, runs, untilRuns } = await openMonitors(t, kind)
  const id = anEventId()

  await checkIn({
    monitor_slug: 'Nightly Backup',
    check_in_id: id,
    status: 'in_progress',
    monitor_config: { ...everyMinute, timezone: 'Europe/Berlin' }
  })
  await checkIn({ monitor_slug: 'nightly-backup', check_in_id: id, status: 'ok', duration: 1.25 })
  await checkIn({ monitor_slug: 'nightly-backup', status: 'error', environment: 'staging' })
  await untilRuns(2)
  t.same(await monitors(), [
    {
      slug: 'nightly-backup',
      schedule: everyMinute.schedule,
      timezone: 'Europe/Berlin',
      margin_minutes: 1,
      max_run_minutes: 2,
      failure_threshold: 1
    }
  ])
  t.same(await runs(), [
    { slug: 'nightly-backup', environment: 'production', run: 1, status: 'ok', duration_ms: 1250 },
    { slug: 'nightly-backup', environment: 'staging', run: 1, status: 'error', duration_ms: null }
  ])
})

onBothBackends(t, 'a failed, a missed and an endless run open an alert, and a good run resolves it', async (t, kind) => {
  const { checkIn, untilRuns, later, alerts, runs } = await openMonitors(t, kind)

  await checkIn({ status: 'error', monitor_config: everyMinute })
  await untilRuns(1)
  await later(0)
  await eventually(async () => (await alerts()).length === 1, 'the failure is an alert')
  t.same(await alerts(), [['backup failed', 'triggered', 'production']])
  await checkIn({ status: 'ok' })
  await untilRuns(2)
  await later(0)
  await eventually(async () => (await alerts())[0][1] === 'resolved', 'the good run resolves it')

  await later(2 * minute + 5000)
  await eventually(async () => (await alerts()).length === 2, 'the missed run is an alert')
  t.same((await alerts())[1], ['backup did not run when it was expected', 'triggered', 'production'])
  await later(2 * minute + 5000)
  t.equal((await runs()).length, 3, 'it is told once')

  await checkIn({ status: 'ok' })
  await checkIn({ status: 'in_progress', check_in_id: anEventId() })
  await untilRuns(4)
  await eventually(async () => (await runs()).some(({ status }) => status === 'in_progress'), 'the endless run has begun')
  await later(0)
  await later(2 * minute + 5000)
  await eventually(async () => (await alerts()).length === 3, 'the endless run is an alert')
  t.same((await alerts())[2], ['backup ran too long', 'triggered', 'production'])
})

t.test('thresholds decide how many runs in a row count', async t => {
  const { checkIn, untilRuns, later, platform, project } = await openMonitors(t)
  const state = async () =>
    (
      await platform.pool.query(
        'SELECT state, failures, successes FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id WHERE project_id = $1',
        [project.id]
      )
    ).rows[0]
  const run = async (status: string, ended: number) => {
    await checkIn({ status, monitor_config: { ...everyMinute, failure_issue_threshold: 2, recovery_threshold: 3 } })
    await untilRuns(ended)

    return state()
  }

  t.hasStrict(await run('error', 1), { state: 'waiting', failures: 1 })
  t.hasStrict(await run('ok', 2), { state: 'ok', failures: 0 })
  t.hasStrict(await run('error', 3), { state: 'ok' })
  t.hasStrict(await run('error', 4), { state: 'failing', failures: 2 })
  t.hasStrict(await run('ok', 5), { state: 'failing', successes: 1 })
  t.hasStrict(await run('ok', 6), { state: 'failing', successes: 2 })
  t.hasStrict(await run('ok', 7), { state: 'ok', successes: 3 })
  await later(0)
})

t.test('an end that overtakes its beginning, and one that is repeated, change nothing', async t => {
  const { checkIn, untilRuns, runs } = await openMonitors(t)
  const id = anEventId()

  await checkIn({ check_in_id: id, status: 'ok', duration: 3 })
  await untilRuns(1)
  await checkIn({ check_in_id: id, status: 'in_progress' })
  await checkIn({ check_in_id: id, status: 'ok', duration: 3 })
  await checkIn({ check_in_id: '0'.repeat(32), status: 'error' })
  await untilRuns(2)
  t.same(
    (await runs()).map(({ run, status, duration_ms: ms }) => [run, status, ms]),
    [
      [1, 'ok', 3000],
      [2, 'error', null]
    ]
  )
})

t.test('without an SDK, a request is a check-in', async t => {
  const { curl, runs, untilRuns, monitors } = await openMonitors(t)
  const id = anEventId()

  t.same((await curl(`backup/KEY/?status=in_progress&check_in_id=${id}`)).json(), { id })
  t.equal((await curl(`backup/KEY?check_in_id=${id}&status=error&duration=2`)).statusCode, 202)
  t.equal(
    (
      await curl('report/KEY/', {
        method: 'POST',
        payload: JSON.stringify({ monitor_config: everyMinute, status: 'ok', environment: 'dev' })
      })
    ).statusCode,
    202
  )
  await untilRuns(2)
  t.same(await runs(), [
    { slug: 'backup', environment: 'production', run: 1, status: 'error', duration_ms: 2000 },
    { slug: 'report', environment: 'dev', run: 1, status: 'ok', duration_ms: null }
  ])
  t.hasStrict((await monitors())[1], { slug: 'report', schedule: everyMinute.schedule })
  const wrong: [string, RegExp, object?][] = [
    ['backup/KEY?status=fine', /The status is none of in_progress, ok, error\./],
    ['---/KEY', /The name of the monitor/],
    ['backup/KEY?duration=soon', /The duration is not a number/],
    ['backup/KEY', /The body is not JSON/, { method: 'POST', payload: 'status=ok' }]
  ]

  for (const [path, message, options] of wrong) {
    const { statusCode, body } = await curl(path, options)

    t.equal(statusCode, 400)
    t.match(body, message)
  }
  t.equal((await curl('backup/0123')).statusCode, 403)
})

t.test('the last hundred runs of an environment are kept, and a project has so many environments', async t => {
  const { checkIn, runs, untilRuns, platform, project } = await openMonitors(t)

  await checkIn({}, 130)
  await untilRuns(100)
  t.same([(await runs())[0].run, (await runs()).at(-1).run], [31, 130])
  for (let n = 0; n < 25; n++) await checkIn({ environment: `review-${n}` })
  await eventually(
    async () =>
      (
        await platform.pool.query(
          `SELECT items FROM error_dropped_counts WHERE project_id = $1 AND category = 'monitor' AND reason = 'too_many'`,
          [project.id]
        )
      ).rows[0]?.items === 6,
    'those beyond the limit are counted as dropped'
  )
})
