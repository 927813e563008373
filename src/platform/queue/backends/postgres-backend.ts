import { PostgresConnection, PostgresQueueBackend, type Span, type Telemetry, withBackend } from 'bullmq'
import pg from 'pg'
import type { Logger } from 'pino'
import { connectionOptions, type DatabaseOptions, surviveLoss } from '#platform/database/database.ts'
import { isUnavailable } from '#platform/problems.ts'
import type { JobData } from '../job.ts'
import { type Backend, type Queue, type QueueJob, streams, type Worker } from './backend.ts'
import { queueSchema } from './postgres-schema.ts'

/** Queues in a schema of the same Postgres: every enqueue is on disk when it resolves. */
export function openPostgres(config: DatabaseOptions, log: Logger, telemetry?: Telemetry): Backend {
  const connection = new SharedConnection({ ...connectionOptions(config), schema: queueSchema(config), skipVersionCheck: true })
  const { Queue, Worker } = withBackend((name, options) => new PostgresQueueBackend(connection, name, options as never, true))
  const report = (error: Error) => log.debug({ err: error }, 'queue error')

  /** When a job's completion cannot be stored because the connection is lost, the job is retried instead of failed. */
  class RetryingWorker extends Worker<JobData, unknown> {
    protected override async handleFailed(error: Error, job: QueueJob, token: string, mayFetchNext?: () => boolean, span?: Span) {
      if (!isUnavailable(error)) return super.handleFailed(error, job, token, mayFetchNext, span)
      await job.moveToWait(token)

      return undefined as never
    }
  }

  return {
    name: 'postgres',
    queue: name => {
      const queue = new Queue<JobData, unknown>(name, { connection: {}, streams, telemetry })
      queue.on('error', report)
      return queue as unknown as Queue
    },
    worker: (name, process, options) => {
      const worker = new RetryingWorker(name, process as never, { ...options, connection: {}, telemetry })
      worker.on('error', report)
      return worker as unknown as Worker
    },
    pool: () => connection.pool as pg.Pool | undefined,
    isReady: () => true,
    alone: async run => {
      const { max, ...options } = connectionOptions(config)
      const client = new pg.Client(options)

      client.on('error', () => {})
      await client.connect()
      try {
        await client.query('SELECT pg_advisory_lock(hashtext($1))', [queueSchema(config)])
        await run()
      } finally {
        // Closing the connection releases the lock.
        await client.end()
      }
    },
    advice: async () => [],
    close: () => connection.closeForAll()
  }
}

/** One pool and one connection that listens, for all queues and workers of a process. */
class SharedConnection extends PostgresConnection {
  #prepared = new WeakSet<object>()

  constructor(options: ConstructorParameters<typeof PostgresConnection>[0]) {
    super(options)
    this.setMaxListeners(0)
    surviveLoss(this.pool as pg.Pool)
    Object.assign(this, { pgModule: { Client: ListenClient } })
  }

  override async getListenClient() {
    const client = (await super.getListenClient()) as pg.PoolClient

    if (!this.#prepared.has(client)) runInTurn(client)
    this.#prepared.add(client)

    return client
  }

  /** The others go on. */
  override async close() {}

  closeForAll() {
    return super.close()
  }
}

/** BullMQ listens for its errors only once it is connected: one that arrives together with that would end the process. */
class ListenClient extends pg.Client {
  constructor(options: pg.ClientConfig) {
    super(options)
    this.on('error', () => {})
  }
}

/** All queues ask it to listen at the same time, and pg takes one query at a time. */
function runInTurn(client: pg.PoolClient) {
  const query = client.query.bind(client) as (text: string) => Promise<unknown>
  let last: Promise<unknown> = Promise.resolve()

  client.setMaxListeners(0)
  client.query = ((text: string) => {
    last = last.catch(() => {}).then(() => query(text))

    return last
  }) as typeof client.query
}
