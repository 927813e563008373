import type { Logger } from 'pino'
import { AnnounceChanges } from './announce-changes.ts'
import type { Config } from './config.ts'
import { entities } from './entities.ts'
import { loadExtras } from './extras.ts'
import { StoredConfig } from './instance-settings/stored-config.ts'
import { Caches } from './platform/cache/caches.ts'
import { openOrm, openPool } from './platform/database/database.ts'
import { deriveKey } from './platform/database/encryption.ts'
import { Listener } from './platform/database/listener.ts'
import { migrate } from './platform/database/migrate.ts'
import { requireSecretKey } from './platform/database/require-secret-key.ts'
import { requireSession } from './platform/database/require-session.ts'
import { requireVersion } from './platform/database/require-version.ts'
import { Git } from './platform/git/git.ts'
import { openMail } from './platform/mail/mailer.ts'
import { listWorkers, processName } from './platform/observability/heartbeat.ts'
import { openLog } from './platform/observability/log.ts'
import { cacheMetrics, openRegistry, poolMetrics } from './platform/observability/metrics.ts'
import { openTracing } from './platform/observability/telemetry.ts'
import { openPostgres } from './platform/queue/backends/postgres-backend.ts'
import { openRedis } from './platform/queue/backends/redis-backend.ts'
import { Backlog } from './platform/queue/backlog/backlog.ts'
import { Batcher } from './platform/queue/batcher.ts'
import { JobCipher, jobKey } from './platform/queue/job-cipher.ts'
import { type QueueSpec, Queues } from './platform/queue/queues.ts'
import { Receipts } from './platform/queue/receipts.ts'
import { queuesOf } from './queues.ts'

declare module './platform/queue/handler.ts' {
  interface JobSettings extends Config {}
}

export type Platform = Awaited<ReturnType<typeof boot>>

interface BootOptions {
  role: 'web' | 'worker'
  /** Tests have queues of their own. */
  queues?: Record<string, QueueSpec>
  log?: Logger
}

/** Opens the resources of a process: log, database, queues. `close` closes them in reverse order. */
export async function boot(config: Config, { role, queues: specs = queuesOf(config), log = openLog(config) }: BootOptions) {
  const name = processName(config.processName, role)
  const tracing = config.isTraced ? await openTracing(config.tracedAs) : undefined
  const pool = openPool(config)

  await requireSession(pool, config)
  await requireVersion(pool)
  await migrate(config, pool, log)
  await requireSecretKey(pool, config)

  const extras = await loadExtras(config.extras)
  const orm = openOrm(config, [...entities, ...extras.flatMap(({ entities = [] }) => entities)], [new AnnounceChanges()])
  const listener = new Listener(config, log)
  const registry = openRegistry(role)
  const receipts = new Receipts(pool, listener, config)
  const backend = config.redisUrl
    ? await openRedis(config, config.redisUrl, log, tracing?.queues)
    : openPostgres(config, log, tracing?.queues)
  const queues = new Queues(backend, specs, new JobCipher(await deriveKey(config, jobKey)), config.queue.timeoutMs)
  const backlog = new Backlog(queues, config.queue, log, () => listWorkers(pool))
  const mail = openMail(config)
  const storedConfig = new StoredConfig({ config, pool, listener, log })
  const git = new Git(config.git)
  const batches = new Batcher(queues, backlog, receipts, config.batch)

  const entityPool = await orm.em.getDriver().getConnection().getNativeClient()

  poolMetrics(registry, { queries: () => pool, entities: () => entityPool, queues: () => backend.pool?.() })
  cacheMetrics(registry, listener)

  const warnings = [...config.warnings, ...(await queues.backend.advice()), ...(await git.advice())]

  for (const warning of warnings) log.warn(warning)

  return {
    config,
    extras,
    log,
    name,
    pool,
    listener,
    caches: new Caches(pool, listener),
    registry,
    receipts,
    queues,
    backlog,
    batches,
    mail,
    storedConfig,
    git,
    fork: () => orm.em.fork(),
    async close() {
      backlog.stop()
      mail.close()
      await queues.close()
      await listener.close()
      await orm.close()
      await pool.end()
      await tracing?.close().catch(() => {})
    }
  }
}
