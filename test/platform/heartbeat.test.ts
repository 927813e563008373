import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { collectMetrics, Heartbeat, processName } from '#platform/observability/heartbeat.ts'
import { workerMetrics } from '#platform/observability/worker-metrics.ts'
import { openWorld } from '../support/world.ts'

async function openHeartbeat(t: Test, { name = 'worker.1', role = 'worker' } = {}) {
  const { platform } = await openWorld(t)
  const registry = new Registry()
  const heartbeat = new Heartbeat(platform.pool, registry, platform.log, { name, role, queues: ['errors'] })
  const processes = async () => (await platform.pool.query('SELECT * FROM processes ORDER BY name')).rows

  return { pool: platform.pool, log: platform.log, registry, heartbeat, processes }
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

  webRegistry.setDefaultLabels({ process: 'web.1' })
  workerMetrics(registry).startJob('work.make-one')('done')
  workerMetrics(webRegistry).startJob('work.make-two')('done')
  await heartbeat.beat()

  t.same((await samples('web.1')).sort(), [
    'tocsin_job_seconds_count{job_name="work.make-one",outcome="done",process="worker-1"} 1',
    'tocsin_job_seconds_count{job_name="work.make-two",outcome="done",process="web.1"} 1'
  ])
  t.equal((await collectMetrics(pool, webRegistry, 'web.1')).match(/^# TYPE tocsin_job_seconds /gm)?.length, 1)
  t.equal((await samples('worker.1')).length, 1, 'its own row is left out')

  await pool.query(`UPDATE processes SET seen_at = now() - interval '1 minute'`)
  t.equal((await samples('web.1')).length, 1, 'a dead worker is left out')

  await heartbeat.beat()
  await pool.query(`UPDATE processes SET role = 'web'`)
  t.equal((await samples('web.1')).length, 1, 'another web process is left out')
})

t.test('of several web processes, the oldest one serves the metrics of workers', async t => {
  const { heartbeat, registry, pool, log } = await openHeartbeat(t)
  const webs = ['web.1', 'web.2'].map(name => ({ name, registry: new Registry() }))
  const servers = async () => {
    const texts = await Promise.all(webs.map(({ name, registry }) => collectMetrics(pool, registry, name)))

    return webs.filter((_, n) => texts[n]!.includes('process="worker-1"')).map(({ name }) => name)
  }
  const beats = webs.map(({ name, registry }) => new Heartbeat(pool, registry, log, { name, role: 'web', queues: [] }))

  workerMetrics(registry).startJob('work.make-one')('done')
  for (const beat of [heartbeat, ...beats]) await beat.beat()
  t.same(await servers(), ['web.1'])
  await pool.query(`UPDATE processes SET seen_at = now() - interval '1 minute' WHERE name = 'web.1'`)
  t.same(await servers(), ['web.2'])
  for (const beat of beats) await beat.stop()
})

t.test('metrics are labelled with the lowest free number of the role, which processes that start later take again', async t => {
  const { pool, log, processes } = await openHeartbeat(t)
  const begin = async (name: string, role = 'worker') => {
    const heartbeat = new Heartbeat(pool, new Registry(), log, { name, role, queues: [] })

    await heartbeat.beat()

    return heartbeat
  }
  const slots = async () => Object.fromEntries((await processes()).map(({ name, slot }) => [name, slot]))
  const names = ['a', 'b', 'c'] as const
  const started = await Promise.all([...names.map(name => begin(name)), begin('w', 'web')])

  t.same(Object.values(await slots()).sort(), [1, 1, 2, 3])
  await pool.query(`UPDATE processes SET seen_at = now() - interval '1 minute' WHERE slot = 2 AND role = 'worker'`)
  started.push(await begin('d'))
  t.equal((await slots()).d, 2, 'that of a process that was killed')
  const { d, w, ...first } = await slots()
  await started[names.findIndex(name => first[name] === 3)]!.stop()
  started.push(await begin('e'))
  t.equal((await slots()).e, 3, 'that of a process that ended')
  for (const heartbeat of started) await heartbeat.stop()
})

t.test('a process is named by its setting, or by its role and pid', async t => {
  t.match(processName('worker.3', 'worker'), /^worker\.3@/)
  t.match(processName(undefined, 'web'), new RegExp(`^web-${process.pid}@`))
})
