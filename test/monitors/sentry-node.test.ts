import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { plainly } from '../support/children.ts'
import { openProject } from '../support/factories.ts'
import { listen } from '../support/listen.ts'
import { eventually } from '../support/world.ts'

const script = join(import.meta.dirname, 'fixtures', 'cron.mjs')

t.test('check-ins of @sentry/node make monitors, with what the job says of its schedule', async t => {
  const { app, key, platform } = await openProject(t)

  await listen(app)
  const { port } = app.server.address() as AddressInfo

  await promisify(execFile)(...plainly(process.execPath, [script, key.sentry_dsn.replace('tocsin.test', `127.0.0.1:${port}`)]))
  const rows = await eventually(async () => {
    const { rows } = await platform.pool.query(
      `SELECT m.slug, m.schedule, m.timezone, m.margin_minutes, m.max_run_minutes, m.failure_threshold, e.environment, r.status, r.duration_ms
       FROM monitors m JOIN monitor_environments e ON e.monitor_id = m.id JOIN monitor_runs r ON r.environment_id = e.id ORDER BY m.slug`
    )

    return rows.length === 3 && rows.every(({ status }) => status !== 'in_progress') && rows
  }, 'three runs have ended')

  t.hasStrict(rows[0], { slug: 'hourly', schedule: null, environment: 'testing', status: 'error' })
  t.hasStrict(rows[1], {
    slug: 'nightly-export',
    schedule: { type: 'crontab', value: '0 3 * * *' },
    timezone: 'Europe/Berlin',
    margin_minutes: 2,
    max_run_minutes: 10,
    failure_threshold: 2,
    status: 'ok'
  })
  t.hasStrict(rows[2], { slug: 'slow', schedule: { type: 'interval', value: 2, unit: 'hour' }, status: 'ok', duration_ms: 12_500 })
})
