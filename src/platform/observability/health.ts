import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Git } from '../git/git.ts'
import type { Storages } from '../git/storages.ts'
import type { Backlog } from '../queue/backlog/backlog.ts'
import type { Queues } from '../queue/queues.ts'
import { collectMetrics } from './heartbeat.ts'
import { backlogMetrics, stallMetrics, storageMetrics } from './metrics.ts'
import { readStorages } from './storage-space.ts'
import { readStalls } from './worker-stalls.ts'

interface HealthOptions {
  name: string
  pool: pg.Pool
  queues: Queues
  backlog: Backlog
  registry: Registry
  git: Git
}

const timeoutMs = 1500
const recentSeconds = 600

/** Liveness, readiness and metrics. */
export async function health(app: FastifyInstance, { name, pool, queues, backlog, registry, git }: HealthOptions) {
  const updateBacklog = backlogMetrics(registry, backlog)
  const updateStalls = stallMetrics(registry)
  const updateStorages = storageMetrics(registry)
  const quiet = { config: { isQuiet: true as const } }

  app.get('/-/liveness', quiet, async () => ({ status: 'ok' }))

  app.get('/-/readiness', quiet, async (_request, reply) => {
    const [database, queue, workers, storages] = await Promise.all([
      check(pool.query('SELECT 1')),
      check(queues.backend.isReady() ? queues.get(queues.names[0]!).getJobCounts('active') : Promise.reject(new Error('not connected'))),
      Promise.race([describeStalls(pool), sleep(timeoutMs, 'unknown', { ref: false })]),
      describeStorages(git.storages)
    ])
    const isReady = database === 'ok' && queue === 'ok'

    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      checks: { database, queue, workers, storages },
      queues: Object.fromEntries(
        Object.entries(backlog.samples).map(([queue, sample]) => [
          queue,
          {
            waiting_items: sample.waitingItems,
            oldest_seconds: Math.round(sample.oldestSeconds * 10) / 10,
            drained_per_second: Math.round(sample.drain.perSecond * 10) / 10,
            seconds_left: sample.drain.secondsLeft === undefined ? null : Math.round(sample.drain.secondsLeft),
            failed_jobs: sample.jobs.failed ?? 0,
            workers: sample.workers
          }
        ])
      )
    })
  })

  app.get('/-/metrics', quiet, async (_request, reply) => {
    updateBacklog()
    updateStalls(await readStalls(pool).catch(() => []))
    updateStorages(await readStorages(git.storages))

    return reply.type(registry.contentType).send(await collectMetrics(pool, registry, name).catch(() => registry.metrics()))
  })
}

async function check(query: Promise<unknown>) {
  const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))

  return Promise.race([query, timeout]).then(
    () => 'ok',
    error => `away: ${(error as Error).message || 'no answer'}`
  )
}

/** Informational: a worker that was killed and restarted does not make this process unready. */
async function describeStalls(pool: pg.Pool) {
  const recent = (await readStalls(pool).catch(() => [])).filter(({ secondsAgo }) => secondsAgo < recentSeconds)
  const stalls = recent.map(({ queue, lastJob, secondsAgo }) => `${queue} job ${lastJob} stalled ${Math.round(secondsAgo)} s ago`)

  return stalls.length > 0 ? `degraded: ${stalls.join(', ')}` : 'ok'
}

/** Informational: alerts and errors are accepted without repositories. */
async function describeStorages(storages: Storages) {
  const away = (await readStorages(storages)).filter(({ problem }) => problem !== undefined)

  return away.length > 0 ? `degraded: ${away.map(({ name, problem }) => `${name}: ${problem}`).join(', ')}` : 'ok'
}
