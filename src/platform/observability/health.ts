import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Git } from '../git/git.ts'
import type { Storages } from '../git/storages.ts'
import type { Backlog } from '../queue/backlog/backlog.ts'
import type { Queues } from '../queue/queues.ts'
import { collectMetrics, listProcesses } from './heartbeat.ts'
import { backlogMetrics, stallMetrics, storageMetrics } from './metrics.ts'
import { readStorages } from './storage-space.ts'
import { readStalls } from './worker-stalls.ts'

type Role = 'intake' | 'api'

interface HealthOptions {
  config: { webRole: Role | 'all' }
  name: string
  pool: pg.Pool
  queues: Queues
  backlog: Backlog
  registry: Registry
  git: Git
  /** The extras that run. */
  extras: { name: string }[]
}

const timeoutMs = 1500
const recentSeconds = 600

/** Liveness, readiness and metrics. */
export async function health(app: FastifyInstance, { config, name, pool, queues, backlog, registry, git, extras }: HealthOptions) {
  const updateBacklog = backlogMetrics(registry, backlog)
  const updateStalls = stallMetrics(registry)
  const updateStorages = storageMetrics(registry)
  const roles: Role[] = config.webRole === 'all' ? ['intake', 'api'] : [config.webRole]
  const quiet = { config: { isQuiet: true as const } }

  app.get('/-/liveness', quiet, async () => ({ status: 'ok' }))

  app.get('/-/readiness', quiet, async (_request, reply) => {
    const [database, queue, workers, storages] = await Promise.all([
      check(pool.query('SELECT 1')),
      check(queues.backend.isReady() ? queues.get(queues.names[0]!).getJobCounts('active') : Promise.reject(new Error('not connected'))),
      Promise.race([describeWorkers(pool), sleep(timeoutMs, 'unknown', { ref: false })]),
      describeStorages(git.storages)
    ])
    const states = Object.fromEntries(roles.map(role => [role, stateOf[role](database === 'ok', queue === 'ok')]))
    const status = worst.find(state => Object.values(states).some(text => text.startsWith(state)))!

    return reply.code(status === 'unavailable' ? 503 : 200).send({
      status,
      checks: { database, queue, ...states, workers, storages },
      extras: extras.map(({ name }) => name),
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

const worst = ['unavailable', 'degraded', 'ok']

/** What a process can do in each of its roles. */
const stateOf: Record<Role, (hasDatabase: boolean, hasQueue: boolean) => string> = {
  intake: (hasDatabase, hasQueue) => {
    if (!hasQueue) return 'unavailable: the queue is away'

    return hasDatabase ? 'ok' : 'degraded: the database is away; errors and alerts are accepted with keys that are known already'
  },
  api: (hasDatabase, hasQueue) => {
    if (!hasDatabase) return 'unavailable: the database is away'

    return hasQueue ? 'ok' : 'unavailable: the queue is away'
  }
}

async function check(query: Promise<unknown>) {
  const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))

  return Promise.race([query, timeout]).then(
    () => 'ok',
    error => `away: ${(error as Error).message || 'no answer'}`
  )
}

/** Informational: another process that was killed or does not respond does not make this one unready. */
async function describeWorkers(pool: pg.Pool) {
  const [stalls, processes] = await Promise.all([readStalls(pool).catch(() => []), listProcesses(pool).catch(() => [])])
  const problems = [
    ...processes
      .filter(({ isGone, silentSeconds }) => isGone && silentSeconds < recentSeconds)
      .map(({ name, silentSeconds }) => `${name} has not responded for ${Math.round(silentSeconds)} s`),
    ...stalls
      .filter(({ secondsAgo }) => secondsAgo < recentSeconds)
      .map(({ queue, lastJob, secondsAgo }) => `${queue} job ${lastJob} stalled ${Math.round(secondsAgo)} s ago`)
  ]

  return problems.length > 0 ? `degraded: ${problems.join(', ')}` : 'ok'
}

/** Informational: alerts and errors are accepted without repositories. */
async function describeStorages(storages: Storages) {
  const away = (await readStorages(storages)).filter(({ problem }) => problem !== undefined)

  return away.length > 0 ? `degraded: ${away.map(({ name, problem }) => `${name}: ${problem}`).join(', ')}` : 'ok'
}
