import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { TooOften } from '#lib/refusals.ts'
import { networkOf } from '#platform/network/network-of.ts'
import type { Backend } from '#platform/queue/backends/backend.ts'

/** The limit that a request counts against. */
interface Limit {
  name: string
  key: string
  /** Requests a minute; 0 is no limit. */
  max: number
}

interface Usage {
  observed: number
  resetMs: number
}

type Count = (request: FastifyRequest) => Promise<Usage>

interface LimitSettings {
  user: number
  ip: number
  signIn: number
  tokens: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request that tries a password, on a route that also serves other requests. */
    countGuess: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  }
  interface FastifyRequest {
    /** Set once the request has been counted. */
    limit?: Limit
  }
}

const minute = 60_000
const redisTimeoutMs = 250
/** After a failure, Redis is not asked for this long. */
const circuitOpenMs = 5000

const guessesSecrets = /^\/(users\/(auth|sign_in|sign_up|password|two_factor|verif|confirm|unlock)|oauth\/register$|-\/invites\/)/
const createsTokens = /\/(\w+_)?tokens?\b/
/** To receivers outside, such as a channel or a mail address. */
const sendsTests =
  /\/(channels|notification_channels|mail)\/(:[^/]{1,40}\/)?test$|hooks\/:[^/]{1,40}(\/test(\/:trigger)?|\/(events|deliveries)\/:[^/]{1,40}\/resend)$/

/** Limits requests a minute: by user when signed in, by IP address otherwise. */
export const limits = fp(async (app: FastifyInstance) => {
  const { config, queues } = app.platform
  const count = await openCounter(app, queues.backend.redis, config.namespace)

  const isOverLimit = async (request: FastifyRequest, reply: FastifyReply) => {
    request.limit = limitOf(request, config.rateLimits)
    if (request.limit.max === 0 || request.routeOptions.config.isQuiet) return false

    return sendLimitHeaders(reply, request.limit, await count(request))
  }

  app.decorateRequest('limit', undefined)
  app.decorate('countGuess', async (request, reply) => {
    request.limit = guessLimit(request, config.rateLimits)
    if (request.limit.max === 0) return
    const usage = await count(request)

    if (sendLimitHeaders(reply, request.limit, usage)) throw new TooOften(Math.ceil(usage.resetMs / 1000))
  })
  // After authentication, which runs onRequest, and before the body is read.
  app.addHook('preParsing', async (request, reply) => {
    if (await isOverLimit(request, reply)) return reply.send('Retry later')
  })
  // Requests that authentication rejects never reach preParsing. Without this, tokens could be guessed without limit.
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.limit || !(await isOverLimit(request, reply))) return payload
    reply.removeHeader('content-length')

    return 'Retry later'
  })
})

function limitOf(request: FastifyRequest, settings: LimitSettings): Limit {
  const { user, ip, tokens } = settings
  const { url = '' } = request.routeOptions
  const caller = request.caller?.sudoer ?? request.caller?.user
  const address = networkOf(request.ip)

  if (['POST', 'PUT', 'PATCH'].includes(request.method)) {
    if (guessesSecrets.test(url)) return guessLimit(request, settings)
    if (sendsTests.test(url) && caller) return { name: 'throttle_protected_paths', key: `testing:${caller.id}`, max: tokens }
    if (createsTokens.test(url) && caller) return { name: 'throttle_protected_paths', key: `making:${caller.id}`, max: tokens }
  }
  const part = url.startsWith('/api/') ? 'api' : 'web'

  return caller
    ? { name: `throttle_authenticated_${part}`, key: `user:${caller.id}`, max: user }
    : { name: `throttle_unauthenticated_${part}`, key: `address:${address}`, max: ip }
}

function guessLimit({ ip }: FastifyRequest, { signIn }: LimitSettings): Limit {
  return { name: 'throttle_protected_paths', key: `guessing:${networkOf(ip)}`, max: signIn }
}

/** Sets the RateLimit headers; returns whether the limit is exceeded. */
export function sendLimitHeaders(reply: FastifyReply, { name, max }: Limit, { observed, resetMs }: Usage) {
  const resetsAt = new Date(Math.ceil((Date.now() + resetMs) / 1000) * 1000)
  const isExceeded = observed > max

  reply.headers({
    'ratelimit-name': name,
    'ratelimit-limit': max,
    'ratelimit-observed': observed,
    'ratelimit-remaining': Math.max(0, max - observed),
    'ratelimit-reset': resetsAt.getTime() / 1000
  })
  if (isExceeded) {
    reply.code(429).type('text/plain')
    reply.headers({ 'retry-after': Math.max(1, Math.ceil(resetMs / 1000)), 'ratelimit-resettime': resetsAt.toUTCString() })
  }

  return isExceeded
}

/** Counts in Redis for all processes; without Redis, or while it is away, each process counts for itself. */
export async function openCounter(app: FastifyInstance, redis: Backend['redis'], namespace: string): Promise<Count> {
  const countLocally = await createCounter(app, { cache: 20_000 })

  if (!redis) return countLocally
  const countInRedis = await createCounter(app, { redis, nameSpace: `{${namespace}.limits}:` })
  let retryRedisAt = 0

  return async request => {
    if (Date.now() < retryRedisAt) return countLocally(request)

    return withTimeout(countInRedis(request)).catch(() => {
      retryRedisAt = Date.now() + circuitOpenMs
      return countLocally(request)
    })
  }
}

/** The plugin's own maximum is set out of reach, because it does not say by how much a limit is exceeded. */
async function createCounter(app: FastifyInstance, options: RateLimitPluginOptions): Promise<Count> {
  const max = Number.MAX_SAFE_INTEGER
  let increment: ReturnType<FastifyInstance['createRateLimit']>

  await app.register(async part => {
    await part.register(rateLimit, { ...options, global: false, max, timeWindow: minute, keyGenerator: request => request.limit!.key })
    increment = part.createRateLimit()
  })

  return async request => {
    const result = await increment(request)

    return result.isAllowed ? { observed: 0, resetMs: 0 } : { observed: max - result.remaining, resetMs: result.ttl }
  }
}

function withTimeout<T>(answer: Promise<T>) {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), redisTimeoutMs)

    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
