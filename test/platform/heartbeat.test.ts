import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { collectMetrics, Heartbeat, processName } from '#platform/observability/heartbeat.ts'
import { workerMetrics } from '#platform/observability/metrics.ts'
import { openWorld } from '../support/world.ts'

async function openHeartbeat(t: Test, { name = 'worker.1', role = 'worker' } = {}) {
  const { platform } = await openWorld(t)
  const registry = new Registry()
  const heartbeat = new Heartbeat(platform.pool, registry, platform.log, { name, role, queues: ['errors'] })
  const processes = async () => (await platform.pool.query('SELECT * FROM processes ORDER BY name')).rows

  return { pool: platform.pool, registry, heartbeat, processes }
}

t.test('a process is listed from its first heartbeat until it stops', async t => {
  const { heartbeat, processes } = await openHeartbeat(t)

  await heartbeat.start()
  t.hasStrict(await processes(), [{ name: 'worker.1', role: 'worker', queues: ['errors'], pid: process.pid }])
  await heartbeat.stop()
  t.same(await processes(), [])
})

t.test('a second heartbeat updates the time and the metrics', async t => {
  const { heartbeat, processes, registry } = await openHeartbeat(t)

  await heartbeat.beat()
  const [first] = await processes()
  workerMetrics(registry).startJob('work.make-one')('done')
  await heartbeat.beat()
  const [second, ...others] = await processes()

  t.same(others, [])
  t.same(second.started_at, first.started_at)
  t.ok(second.seen_at > first.seen_at)
  t.match(second.metrics, '"tocsin_job_seconds_count"')
})

t.test('stopping during a heartbeat removes the process', async t => {
  const { heartbeat, processes } = await openHeartbeat(t)
  const starting = heartbeat.start()

  await heartbeat.stop()
  await starting
  t.same(await processes(), [])
})

t.test('heartbeats continue after the database was unavailable', async t => {
  const { heartbeat, processes, pool } = await openHeartbeat(t)

  await pool.query('ALTER TABLE processes RENAME TO elsewhere')
  await heartbeat.start()
  await pool.query('ALTER TABLE elsewhere RENAME TO processes')
  t.same(await processes(), [])

  await heartbeat.beat()
  t.equal((await processes()).length, 1)
  await heartbeat.stop()
})

t.test('metrics include those of live workers, each metric declared once', async t => {
  const { heartbeat, registry, pool } = await openHeartbeat(t)
  const webRegistry = new Registry()
  const samples = async (name: string) =>
    (await collectMetrics(pool, webRegistry, name)).split('\n').filter(line => line.startsWith('tocsin_job_seconds_count'))

  registry.setDefaultLabels({ process: 'worker.1' })
  webRegistry.setDefaultLabels({ process: 'web.1' })
  workerMetrics(registry).startJob('work.make-one')('done')
  workerMetrics(webRegistry).startJob('work.make-two')('done')
  await heartbeat.beat()

  t.same((await samples('web.1')).sort(), [
    'tocsin_job_seconds_count{job="work.make-one",outcome="done",process="worker.1"} 1',
    'tocsin_job_seconds_count{job="work.make-two",outcome="done",process="web.1"} 1'
  ])
  t.equal((await collectMetrics(pool, webRegistry, 'web.1')).match(/^# TYPE tocsin_job_seconds /gm)?.length, 1)
  t.equal((await samples('worker.1')).length, 1, 'its own row is left out')

  await pool.query(`UPDATE processes SET seen_at = now() - interval '1 minute'`)
  t.equal((await samples('web.1')).length, 1, 'a dead worker is left out')

  await heartbeat.beat()
  await pool.query(`UPDATE processes SET role = 'web'`)
  t.equal((await samples('web.1')).length, 1, 'another web process is left out')
})

t.test('a process is named by its setting, or by its role and pid', async t => {
  t.match(processName('worker.3', 'worker'), /^worker\.3@/)
  t.match(processName(undefined, 'web'), new RegExp(`^web-${process.pid}@`))
})
