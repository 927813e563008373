import { Queue, type QueueOptions, type Telemetry, Worker, type WorkerOptions } from 'bullmq'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import type { DatabaseOptions } from '#platform/database/database.ts'
import type { JobData } from '../job.ts'
import { type Backend, streams } from './backend.ts'

/** Queues in Redis, Valkey or Dragonfly, single or as a cluster. */
export async function openRedis(config: DatabaseOptions, url: string, log: Logger, telemetry?: Telemetry): Promise<Backend> {
  // Producers fail at once while Redis is away; the connection reconnects by itself.
  const producer = connectRedis(url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 })
  const consumers: (Redis | Cluster)[] = []
  const report = (error: Error) => log.debug({ err: error }, 'queue error')

  producer.on('error', report)
  producer.on('close', () => log.warn('lost the connection to Redis'))
  await firstReady(producer)

  return {
    name: 'redis',
    redis: producer,
    queue: name => {
      const queue = new Queue(name, { ...location(config, name), connection: producer, streams, telemetry } as QueueOptions)
      queue.on('error', report)
      return queue
    },
    worker: (name, process, options) => {
      const connection = connectRedis(url, { maxRetriesPerRequest: null })
      connection.on('error', report)
      consumers.push(connection)
      const worker = new Worker<JobData, unknown>(name, process, {
        ...options,
        ...location(config, name),
        connection,
        telemetry
      } as WorkerOptions)
      worker.on('error', report)
      return worker
    },
    isReady: () => producer.status === 'ready',
    // Redis executes each script atomically.
    alone: run => run(),
    advice: () => adviseRedis(producer),
    close: async () => {
      for (const connection of [producer, ...consumers]) connection.disconnect()
    }
  }
}

// Hash tag: all keys of one queue are in one slot of a cluster.
function location({ namespace }: Pick<DatabaseOptions, 'namespace'>, name: string) {
  return { prefix: `{${namespace}.${name}}` }
}

function connectRedis(url: string, options: Omit<RedisOptions, 'replyMapping'>) {
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

/** Fails the start with a reason when Redis does not answer. */
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
    advice.push('Redis does not persist jobs (appendonly no): they are lost when it stops. Set appendonly yes.')
  else if ((await setting('appendfsync')) === 'no')
    advice.push('Redis does not sync to disk (appendfsync no). Set appendfsync always, or everysec to lose at most a second.')
  const policy = await setting('maxmemory-policy')
  if (policy && policy !== 'noeviction') advice.push(`Redis may evict queued jobs (maxmemory-policy ${policy}). Set it to noeviction.`)

  return advice
}
