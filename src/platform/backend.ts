import {
  Queue as BullQueue,
  Worker as BullWorker,
  createPostgresBackend,
  type Job,
  type Processor,
  type QueueOptions,
  runMigrations,
  type Span,
  type Telemetry,
  type WorkerOptions,
  withBackend
} from 'bullmq'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { connectionOptions } from './database.ts'
import type { JobData } from './job.ts'
import { isAway } from './problems.ts'

export type Queue = BullQueue<JobData, unknown>
export type Worker = BullWorker<JobData, unknown>
export type QueueJob = Job<JobData, unknown>
type WorkerSettings = Omit<WorkerOptions, 'connection'> & { concurrency: number }

/** Where the queues live. Nothing above this file knows which of the two it is. */
export interface Backend {
  name: 'postgres' | 'redis'
  queue: (name: string) => Queue
  worker: (name: string, process: Processor<JobData, unknown>, options: WorkerSettings) => Worker
  /** False when it is known, without asking, that nothing can be added now. */
  isReady: () => boolean
  /** Runs what several processes must not do to the queues at the same moment. */
  alone: (run: () => Promise<void>) => Promise<void>
  /** What an admin should change for a 2xx to mean durable. */
  advice: () => Promise<string[]>
  close: () => Promise<void>
}

export function openBackend(config: Config, log: Logger, telemetry?: Telemetry) {
  return config.redisUrl ? openRedis(config, config.redisUrl, log, telemetry) : openPostgres(config, log, telemetry)
}

/** The events stream serves nobody here (it loses some), so it is kept short. */
const streams = { events: { maxLen: 100 } }

function openPostgres(config: Config, log: Logger, telemetry?: Telemetry): Backend {
  const { Queue, Worker } = withBackend(createPostgresBackend)
  const connection = (max: number) => ({ ...connectionOptions(config, { max }), schema: queueSchema(config), skipVersionCheck: true })
  const report = (error: Error) => log.debug({ err: error }, 'the queue reports an error')

  /** A job whose end could not be written down, as the connection was lost, has not failed: it is done once more. */
  class PatientWorker extends Worker<JobData, unknown> {
    protected override async handleFailed(error: Error, job: QueueJob, token: string, mayFetchNext?: () => boolean, span?: Span) {
      if (!isAway(error)) return super.handleFailed(error, job, token, mayFetchNext, span)
      await job.moveToWait(token)

      return undefined as never
    }
  }

  class TolerantQueue extends Queue<JobData, unknown> {
    /** What Postgres refuses in one item must not refuse the whole batch, nor look like a queue that is away. */
    override async add(...[name, data, options]: Parameters<Queue['add']>) {
      try {
        return await super.add(name, data, options)
      } catch (error) {
        if (!isUnstorable(error)) throw error
        return super.add(name, storable(data) as JobData, options)
      }
    }
  }

  return {
    name: 'postgres',
    queue: name => {
      const queue = new TolerantQueue(name, { connection: connection(4), streams, telemetry })
      queue.on('error', report)
      return queue as unknown as Queue
    },
    worker: (name, process, options) => {
      const worker = new PatientWorker(name, process as never, { ...options, connection: connection(options.concurrency + 1), telemetry })
      worker.on('error', report)
      return worker as unknown as Worker
    },
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
        // The lock ends with its connection.
        await client.end()
      }
    },
    advice: async () => [],
    close: async () => {}
  }
}

/** Postgres takes neither U+0000 nor half a surrogate pair in a text, though JSON does. */
function isUnstorable(error: unknown) {
  return ['22P05', '22P02'].includes((error as { code?: string }).code ?? '')
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]))

  return value
}

export function queueSchema(config: Config) {
  return `${config.namespace}_queue`
}

/** Payloads arrive compressed: having Postgres try again would cost time and save nothing. */
export async function migratePostgresQueues(config: Config, client: pg.PoolClient) {
  const schema = queueSchema(config)

  await runMigrations(client, schema)
  await client.query(`ALTER TABLE "${schema}".job ALTER COLUMN data SET STORAGE EXTERNAL`)
  await client.query(`ALTER TABLE "${schema}".job SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`)
  await client.query(keepPlace(schema))
}

/**
 * A job that is given back, or whose worker died, goes on where it was, as it does on Redis. BullMQ would
 * put it at the end, behind those that came after it. What failed and is tried again is no such job.
 */
function keepPlace(schema: string) {
  return `
    CREATE OR REPLACE FUNCTION "${schema}".keep_place() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.seq := OLD.seq;
      RETURN NEW;
    END $$;

    CREATE OR REPLACE TRIGGER keep_place BEFORE UPDATE OF seq ON "${schema}".job FOR EACH ROW
    WHEN (OLD.state = 'active' AND NEW.state = 'waiting' AND NEW.attempts_made = OLD.attempts_made)
    EXECUTE FUNCTION "${schema}".keep_place()`
}

async function openRedis(config: Config, url: string, log: Logger, telemetry?: Telemetry): Promise<Backend> {
  // A request must not wait for a Redis that is away: what cannot be sent now fails now, and the connection heals by itself.
  const producer = connectRedis(url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 })
  const consumers: (Redis | Cluster)[] = []
  const report = (error: Error) => log.debug({ err: error }, 'the queue reports an error')

  producer.on('error', report)
  producer.on('close', () => log.warn('the connection to Redis was lost'))
  await firstReady(producer)

  return {
    name: 'redis',
    queue: name => {
      const queue = new BullQueue(name, { ...location(config, name), connection: producer, streams, telemetry } as QueueOptions)
      queue.on('error', report)
      return queue
    },
    worker: (name, process, options) => {
      const connection = connectRedis(url, { maxRetriesPerRequest: null })
      connection.on('error', report)
      consumers.push(connection)
      const worker = new BullWorker<JobData, unknown>(name, process, {
        ...options,
        ...location(config, name),
        connection,
        telemetry
      } as WorkerOptions)
      worker.on('error', report)
      return worker
    },
    isReady: () => producer.status === 'ready',
    // Redis does one thing at a time by itself.
    alone: run => run(),
    advice: () => adviseRedis(producer),
    close: async () => {
      for (const connection of [producer, ...consumers]) connection.disconnect()
    }
  }
}

// The braces keep all keys of one queue in one slot of a cluster, and let queues spread over its nodes.
function location(config: Config, name: string) {
  return { prefix: `{${config.namespace}.${name}}` }
}

function connectRedis(url: string, options: Partial<RedisOptions>) {
  const retryStrategy = (times: number) => Math.min(times * 50, 1000)
  const [first = '', ...others] = url.split(',').map(part => part.trim())

  if (others.length === 0) return new Redis(first, { ...options, retryStrategy, connectTimeout: 5000 })

  const { username, password, protocol } = new URL(first)
  const nodes = [first, ...others].map(part => new URL(part.includes('://') ? part : `redis://${part}`))

  return new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port || 6379) })),
    {
      enableOfflineQueue: options.enableOfflineQueue,
      clusterRetryStrategy: retryStrategy,
      redisOptions: {
        ...options,
        username: decodeURIComponent(username) || undefined,
        password: decodeURIComponent(password) || undefined,
        ...(protocol === 'rediss:' && { tls: {} })
      }
    }
  )
}

/** A start against a Redis that is not there ends with a reason, instead of waiting for ever. */
function firstReady(redis: Redis | Cluster) {
  return new Promise<void>((resolve, reject) => {
    let last: Error | undefined
    const timer = setTimeout(() => {
      redis.disconnect()
      reject(new Error(`Redis (REDIS_URL) does not answer: ${last?.message ?? 'no connection within 10 s'}`))
    }, 10_000)

    redis.on('error', error => {
      last = error
    })
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function adviseRedis(redis: Redis | Cluster) {
  const advice: string[] = []
  const setting = async (name: string) => {
    const [, value] = (await redis.call('CONFIG', 'GET', name).catch(() => [])) as string[]
    return value
  }

  if ((await setting('appendonly')) === 'no')
    advice.push('Redis keeps nothing on disk (appendonly no): what it holds is lost with it. Set appendonly yes.')
  else if ((await setting('appendfsync')) === 'no')
    advice.push('Redis leaves writing to the system (appendfsync no). Set appendfsync always, or everysec to lose a second at most.')
  const policy = await setting('maxmemory-policy')
  if (policy && policy !== 'noeviction') advice.push(`Redis may throw queued work away (maxmemory-policy ${policy}). Set it to noeviction.`)

  return advice
}
