import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Backlog } from '../queue/backlog.ts'
import type { Queues } from '../queue/queues.ts'
import { collectMetrics } from './heartbeat.ts'
import { backlogMetrics } from './metrics.ts'

interface HealthOptions {
  name: string
  pool: pg.Pool
  queues: Queues
  backlog: Backlog
  registry: Registry
}

const timeoutMs = 1500

/** Liveness, readiness and metrics. */
export async function health(app: FastifyInstance, { name, pool, queues, backlog, registry }: HealthOptions) {
  const updateBacklog = backlogMetrics(registry, backlog)
  const quiet = { config: { isQuiet: true as const } }

  app.get('/-/liveness', quiet, async () => ({ status: 'ok' }))

  app.get('/-/readiness', quiet, async (_request, reply) => {
    const [database, queue] = await Promise.all([
      check(pool.query('SELECT 1')),
      check(queues.backend.isReady() ? queues.get(queues.names[0]!).getJobCounts('active') : Promise.reject(new Error('not connected')))
    ])
    const isReady = database === 'ok' && queue === 'ok'

    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      checks: { database, queue },
      queues: Object.fromEntries(
        Object.entries(backlog.seen).map(([queue, seen]) => [
          queue,
          {
            waiting_items: seen.waitingItems,
            oldest_seconds: Math.round(seen.oldestSeconds * 10) / 10,
            failed_jobs: seen.jobs.failed ?? 0,
            workers: seen.workers
          }
        ])
      )
    })
  })

  app.get('/-/metrics', quiet, async (_request, reply) => {
    updateBacklog()
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
