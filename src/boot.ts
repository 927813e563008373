import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { entities } from './entities.ts'
import { Backlog } from './platform/backlog.ts'
import { Batcher } from './platform/batcher.ts'
import { Caches } from './platform/caches.ts'
import { openOrm, openPool } from './platform/database.ts'
import { processName } from './platform/heartbeat.ts'
import { Listener } from './platform/listener.ts'
import { openLog } from './platform/log.ts'
import { openMail } from './platform/mail.ts'
import { openRegistry } from './platform/metrics.ts'
import { migrate } from './platform/migrate.ts'
import { openBackend } from './platform/open-backend.ts'
import { type QueueSpec, Queues } from './platform/queues.ts'
import { Receipts } from './platform/receipts.ts'
import { openTracing } from './platform/telemetry.ts'
import { queuesOf } from './queues.ts'

export type Platform = Awaited<ReturnType<typeof boot>>

interface BootOptions {
  role: 'web' | 'worker'
  /** For tests, which have queues of their own. */
  queues?: Record<string, QueueSpec>
  log?: Logger
}

/** Opens what every process owns: its log, the database, the queues. Closed once, in the opposite order. */
export async function boot(config: Config, { role, queues: wanted = queuesOf(config), log = openLog(config) }: BootOptions) {
  const name = processName(config, role)
  const tracing = config.isTraced ? await openTracing(config.tracedAs) : undefined
  const pool = openPool(config)

  await migrate(config, pool, log)

  const orm = openOrm(config, entities)
  const listener = new Listener(config, log)
  const registry = openRegistry(name)
  const receipts = new Receipts(pool, listener, config)
  const queues = new Queues(await openBackend(config, log, tracing?.queues), wanted, config.queue.timeoutMs)
  const backlog = new Backlog(queues, config.queue.limit, log)
  const mail = await openMail(config)
  const batches = new Batcher(queues, receipts, config.batch)

  for (const advice of await queues.backend.advice()) log.warn(advice)

  return {
    config,
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
    fork: () => orm.em.fork(),
    async close() {
      backlog.stop()
      mail?.close()
      await queues.close()
      await listener.close()
      await orm.close()
      await pool.end()
      await tracing?.close().catch(() => {})
    }
  }
}
