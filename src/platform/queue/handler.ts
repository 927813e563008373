import type { Logger } from 'pino'
import type { Caches } from '../cache/caches.ts'
import type { EntityManager } from '../database/database.ts'
import type { Git } from '../git/git.ts'
import type { Mail } from '../mail/mailer.ts'
import type { WorkerMetrics } from '../observability/worker-metrics.ts'
import type { Watchdog } from '../process/watchdog.ts'
import type { ItemOf, JobContract } from './job.ts'
import type { JobIsolation } from './job-isolation.ts'
import type { Queues } from './queues.ts'
import type { Receipts } from './receipts.ts'

/** The settings that handlers read; `boot.ts` declares their type. */
// biome-ignore lint/suspicious/noEmptyInterface: it is extended where the settings are declared
export interface JobSettings {}

/** Passed to every handler. Handlers enqueue follow-ups after their transaction. */
export interface JobContext {
  config: JobSettings
  em: EntityManager
  queues: Queues
  mail: Mail
  git: Git
  caches: Caches
  log: Logger
  metrics: WorkerMetrics
  /** Aborted on shutdown; long handlers should stop early. */
  signal: AbortSignal
  /** Sends results to the waiting requests. Call it inside the transaction that stores the items. */
  sendReceipt: (em: EntityManager, results: unknown[]) => Promise<void>
}

export interface Handler {
  contract: JobContract
  run: (items: unknown[], context: JobContext) => Promise<unknown>
  /** Called with items that failed for good. */
  failed?: (items: unknown[], context: JobContext) => Promise<unknown>
}

/** Binds a handler to a contract. Its items are valid; the same items may come again. */
export function handle<Contract extends JobContract>(
  contract: Contract,
  run: (items: ItemOf<Contract>[], context: JobContext) => Promise<unknown>,
  { failed }: { failed?: (items: ItemOf<Contract>[], context: JobContext) => Promise<unknown> } = {}
): Handler {
  return { contract: contract, run: run as Handler['run'], failed: failed as Handler['failed'] }
}

export interface WorkerDeps {
  config: JobSettings
  em: () => EntityManager
  queues: Queues
  caches: Caches
  receipts: Receipts
  mail: Mail
  git: Git
  log: Logger
  metrics: WorkerMetrics
  /** Shared by all queues of a process. */
  isolation: JobIsolation
  /** Ends the process when its event loop blocks. */
  watchdog?: Watchdog
}
