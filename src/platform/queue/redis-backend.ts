import { Queue, type QueueOptions, type Telemetry, Worker, type WorkerOptions } from 'bullmq'
import { Cluster, type Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import type { DatabaseOptions } from '../database/database.ts'
import { type Backend, streams } from './backend.ts'
import type { JobData } from './job.ts'
import { RedisConnection } from './redis-connection.ts'

/** Queues in Redis, Valkey or Dragonfly, alone or as a cluster. */
export async function openRedis(config: DatabaseOptions, url: string, log: Logger, telemetry?: Telemetry): Promise<Backend> {
  // A request must not wait for a Redis that is away: what cannot be sent now fails now, and the connection heals by itself.
  const producer = connectRedis(url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 })
  const consumers: (Redis | Cluster)[] = []
  const report = (error: Error) => log.debug({ err: error }, 'the queue reports an error')

  producer.on('error', report)
  producer.on('close', () => log.warn('the connection to Redis was lost'))
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
    // Redis does one thing at a time by itself.
    alone: run => run(),
    advice: () => adviseRedis(producer),
    close: async () => {
      for (const connection of [producer, ...consumers]) connection.disconnect()
    }
  }
}

// The braces keep all keys of one queue in one slot of a cluster, and let queues spread over its nodes.
function location({ namespace }: Pick<DatabaseOptions, 'namespace'>, name: string) {
  return { prefix: `{${namespace}.${name}}` }
}

function connectRedis(url: string, options: Omit<RedisOptions, 'replyMapping'>) {
  const retryStrategy = (times: number) => Math.min(times * 50, 1000)
  const [first = '', ...others] = url.split(',').map(part => part.trim())

  if (others.length === 0) return new RedisConnection(first, { ...options, retryStrategy, connectTimeout: 5000 })

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
