import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { Heartbeat, mergeMetrics, othersMetrics, processName } from '../../src/platform/observability/heartbeat.ts'
import { workerMetrics } from '../../src/platform/observability/metrics.ts'
import { configFor, openWorld } from '../support/world.ts'

async function aHeartbeat(t: Test, { name = 'worker.1', role = 'worker' } = {}) {
  const { platform } = await openWorld(t)
  const registry = new Registry()
  const heartbeat = new Heartbeat(platform.pool, registry, platform.log, { name, role, queues: ['errors'] })
  const processes = async () => (await platform.pool.query('SELECT * FROM processes ORDER BY name')).rows

  return { pool: platform.pool, registry, heartbeat, processes }
}

t.test('a process is known from its first heartbeat until it stops', async t => {
  const { heartbeat, processes } = await aHeartbeat(t)

  await heartbeat.start()
  t.match(await processes(), [{ name: 'worker.1', role: 'worker', queues: ['errors'], pid: process.pid }])
  await heartbeat.stop()
  t.same(await processes(), [])
})

t.test('a second heartbeat says that it still lives, and what it counted since', async t => {
  const { heartbeat, processes, registry } = await aHeartbeat(t)

  await heartbeat.beat()
  const [first] = await processes()
  workerMetrics(registry).startJob('work.make-one')('done')
  await heartbeat.beat()
  const [second, ...others] = await processes()

  t.same(others, [])
  t.same(second.started_at, first.started_at)
  t.ok(second.seen_at > first.seen_at)
  t.match(second.metrics, /tocsin_job_seconds_count\{job="work.make-one",outcome="done"\} 1/)
})

t.test('a process that stops while its heart beats is gone all the same', async t => {
  const { heartbeat, processes } = await aHeartbeat(t)
  const starting = heartbeat.start()

  await heartbeat.stop()
  await starting
  t.same(await processes(), [])
})

t.test('a database that is away is no reason to die', async t => {
  const { heartbeat, processes, pool } = await aHeartbeat(t)

  await pool.query('ALTER TABLE processes RENAME TO elsewhere')
  await heartbeat.start()
  await pool.query('ALTER TABLE elsewhere RENAME TO processes')
  t.same(await processes(), [])

  await heartbeat.beat()
  t.equal((await processes()).length, 1)
  await heartbeat.stop()
})

t.test('the metrics of the others are those of workers that live', async t => {
  const { heartbeat, registry, pool } = await aHeartbeat(t)

  workerMetrics(registry).startJob('work.make-one')('done')
  await heartbeat.beat()
  t.same(await othersMetrics(pool, 'worker.1'), [], 'a process is not one of its others')
  t.equal((await othersMetrics(pool, 'web.1')).length, 1)

  await pool.query(`UPDATE processes SET seen_at = now() - interval '1 minute'`)
  t.same(await othersMetrics(pool, 'web.1'), [])

  await heartbeat.beat()
  await pool.query(`UPDATE processes SET role = 'web'`)
  t.same(await othersMetrics(pool, 'web.1'), [])
})

t.test('merged metrics declare each family once and lose no sample', async t => {
  const one = '# HELP jobs Jobs done.\n# TYPE jobs counter\njobs{process="1"} 1\n\n# HELP age Age.\n# TYPE age gauge\nage{process="1"} 5\n'
  const two = '# HELP jobs Jobs done.\n# TYPE jobs counter\njobs{process="2"} 2\n# HELP new New.\n# TYPE new gauge\nnew 3\n'

  t.same(mergeMetrics([one, two]).split('\n'), [
    '# HELP jobs Jobs done.',
    '# TYPE jobs counter',
    'jobs{process="1"} 1',
    'jobs{process="2"} 2',
    '# HELP age Age.',
    '# TYPE age gauge',
    'age{process="1"} 5',
    '# HELP new New.',
    '# TYPE new gauge',
    'new 3',
    ''
  ])
})

t.test('a process is named by its setting, or by what it does', async t => {
  t.match(processName(configFor('postgres', 't_names', { PROCESS_NAME: 'worker.3' }), 'worker'), /^worker\.3@/)
  t.match(processName(configFor('postgres', 't_names'), 'web'), new RegExp(`^web-${process.pid}@`))
})
