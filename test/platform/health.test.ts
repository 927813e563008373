import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { buildApp } from '#app.ts'
import { Heartbeat } from '#platform/observability/heartbeat.ts'
import { openRegistry } from '#platform/observability/metrics.ts'
import { workerMetrics } from '#platform/observability/worker-metrics.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { eventually, onBothBackends, openApp } from '../support/world.ts'

onBothBackends(t, 'readiness shows the size and age of the backlog', async (t, kind) => {
  const { app, send, worker, platform } = await openProject(t, { kind })

  await worker.close(5000)
  for (let n = 0; n < 3; n++) await send(anEnvelope())
  await eventually(async () => {
    await platform.backlog.sample()
    return platform.backlog.samples.errors!.oldestSeconds > 0.1
  }, 'the oldest item has aged')
  const response = await app.inject({ url: '/-/readiness' })

  t.equal(response.statusCode, 200)
  t.hasStrict(response.json(), {
    status: 'ok',
    checks: { database: 'ok', queue: 'ok' },
    queues: { errors: { waiting_items: 3, failed_jobs: 0 } }
  })
  t.ok(response.json().queues.errors.oldest_seconds > 0)
})

t.test('readiness is 503 while the database is unavailable, and liveness stays 200', async t => {
  const { app, platform } = await openApp(t)
  const query = platform.pool.query

  // A pool whose server went away answers with the error of the system.
  platform.pool.query = (() => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))) as never
  const response = await app.inject({ url: '/-/readiness' })
  platform.pool.query = query

  t.equal(response.statusCode, 503)
  const body = response.json()
  t.hasStrict(body, { status: 'unavailable', checks: { queue: 'ok' } })
  t.match(body, { checks: { database: /ECONNREFUSED/ } })
  t.equal((await app.inject({ url: '/-/liveness' })).statusCode, 200)
})

onBothBackends(t, 'readiness is that of the role: intake accepts known senders while the database is away', async (t, kind) => {
  const { platform, project, key } = await openProject(t, { kind, isPrivate: true })
  const apps = await Promise.all(
    (['all', 'intake', 'api'] as const).map(async webRole => {
      const app = await buildApp({ ...platform, registry: openRegistry(webRole), config: { ...platform.config, webRole } })

      t.teardown(() => app.close())

      return [webRole, app] as const
    })
  )
  const { intake } = Object.fromEntries(apps)
  const readiness = async () => {
    const responses = await Promise.all(apps.map(([, app]) => app.inject({ url: '/-/readiness' })))

    return responses.map((response, n) => [apps[n]![0], response.statusCode, response.json().status, rolesIn(response.json().checks)])
  }
  /** On a busy machine, a check may once take too long. */
  const becomes = async (...expected: unknown[]) => {
    const isSo = async () => isDeepStrictEqual(await readiness(), expected)

    t.ok(await eventually(isSo, JSON.stringify(expected)))
  }
  const accepts = async () =>
    (
      await intake!.inject({
        method: 'POST',
        url: `/api/${project.id}/envelope/?sentry_key=${key.public_key}`,
        payload: anEnvelope()
      })
    ).statusCode
  const rolesIn = ({ intake, api }: Record<string, string>) => [intake, api].map(text => text?.split(':')[0])

  t.equal(await accepts(), 200)
  await becomes(['all', 200, 'ok', ['ok', 'ok']], ['intake', 200, 'ok', ['ok', undefined]], ['api', 200, 'ok', [undefined, 'ok']])

  platform.pool.query = (() => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))) as never
  await becomes(
    ['all', 503, 'unavailable', ['degraded', 'unavailable']],
    ['intake', 200, 'degraded', ['degraded', undefined]],
    ['api', 503, 'unavailable', [undefined, 'unavailable']]
  )
  t.equal(await accepts(), 200)

  platform.queues.backend.isReady = () => false
  await becomes(
    ['all', 503, 'unavailable', ['unavailable', 'unavailable']],
    ['intake', 503, 'unavailable', ['unavailable', undefined]],
    ['api', 503, 'unavailable', [undefined, 'unavailable']]
  )
  t.equal(await accepts(), 503)
})

t.test('readiness names processes that have not responded for a while', async t => {
  const { app, platform } = await openApp(t)

  await platform.pool.query(
    `INSERT INTO processes (name, role, queues, host, pid, started_at, seen_at, metrics)
     SELECT name, 'worker', '{errors}', 'here', 1, now(), now() - seen, '[]'
     FROM (VALUES ('worker.1@here', '30 s'::interval), ('worker.2@here', '3 s'), ('worker.3@here', '1 h')) AS given (name, seen)`
  )
  const response = await app.inject({ url: '/-/readiness' })

  t.equal(response.statusCode, 200)
  t.match(response.json().checks.workers, /^degraded: worker\.1@here has not responded for 3\d s$/)
})

t.test('metrics cover requests, batches, queues and workers', async t => {
  const { app, send, platform } = await openProject(t)
  const registry = openRegistry('worker')
  const end = workerMetrics(registry).startJob('errors.receive')
  const heartbeat = new Heartbeat(platform.pool, registry, platform.log, { name: 'worker.9@elsewhere', role: 'worker', queues: ['errors'] })

  end('done')
  await heartbeat.beat()
  await send(anEnvelope())
  await platform.backlog.sample()
  const { body } = await app.inject({ url: '/-/metrics' })

  t.match(body, /tocsin_queue_oldest_seconds\{queue="errors",process="/)
  t.match(body, /tocsin_queue_waiting_items\{queue="errors"/)
  t.match(body, /tocsin_queue_jobs\{queue="errors",state="failed"/)
  t.match(body, /tocsin_job_seconds_count\{job_name="errors.receive",outcome="done",process="worker-1"\} 1/)
  t.match(body, /nodejs_eventloop_lag_seconds\{process="worker-1"\}/)
  t.match(body, /process_resident_memory_bytes/)
  for (const family of ['nodejs_eventloop_lag_seconds', 'tocsin_job_seconds'])
    t.equal(body.split(`# TYPE ${family} `).length, 2, `${family} is declared once`)

  await heartbeat.stop()
  t.notMatch((await app.inject({ url: '/-/metrics' })).body, /process="worker/)
})
