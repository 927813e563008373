import rateLimit, { normalizeIP, type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config.ts'
import { SharedCounts, type Usage } from '../../platform/cache/shared-counts.ts'
import type { Backend } from '../../platform/queue/backend.ts'

/** What a request counts against. */
interface Limit {
  name: string
  key: string
  /** Requests in a minute; 0 for any number. */
  most: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What this request was counted against: once, and not again. */
    limit?: Limit
  }
}

const minute = 60_000
/** A shared counter that does not answer must not be waited for: the own one does meanwhile. */
const patienceMs = 250
const distrustMs = 5000

/** Few and far between: each counts at once, wherever it goes. */
const ofSecrets = 'throttle_protected_paths'
/** Where secrets are guessed, and where they are made. */
const guessing = /^\/users\/(sign_in|password|two_factor|verif|confirm|unlock)/
const making = /\/(\w+_)?tokens?\b/

/** How often somebody may ask within a minute: a user as such, all others by their address. */
export const limits = fp(async (app: FastifyInstance) => {
  const { config, queues } = app.platform
  const count = await openCounter(app, queues.backend.redis, config.namespace)

  const measure = async (request: FastifyRequest, reply: FastifyReply) => {
    request.limit = limitOf(request, config.rateLimits)
    if (request.limit.most === 0 || request.routeOptions.config.isQuiet) return false
    const usage = await count(request)

    return tell(reply, request.limit, usage)
  }

  app.decorateRequest('limit', undefined)
  // The guard has said by now who asks, and the body is not read yet.
  app.addHook('preParsing', async (request, reply) => {
    if (await measure(request, reply)) return reply.send('Retry later')
  })
  // Whoever the guard turned away was not counted there: without this, wrong tokens could be tried without end.
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.limit || !(await measure(request, reply))) return payload
    reply.removeHeader('content-length')

    return 'Retry later'
  })
})

function limitOf(request: FastifyRequest, { user, ip, signIn, tokens }: Config['rateLimits']): Limit {
  const { url = '' } = request.routeOptions
  const person = request.caller?.sudoer ?? request.caller?.user
  const address = normalizeIP(request.ip)

  if (['POST', 'PUT', 'PATCH'].includes(request.method)) {
    if (guessing.test(url)) return { name: ofSecrets, key: `guessing:${address}`, most: signIn }
    if (making.test(url) && person) return { name: ofSecrets, key: `making:${person.id}`, most: tokens }
  }
  const part = url.startsWith('/api/') ? 'api' : 'web'

  return person
    ? { name: `throttle_authenticated_${part}`, key: `user:${person.id}`, most: user }
    : { name: `throttle_unauthenticated_${part}`, key: `address:${address}`, most: ip }
}

/** Says how much is left, and whether it was too much. */
export function tell(reply: FastifyReply, { name, most }: Limit, { observed, resetMs }: Usage) {
  const resetsAt = new Date(Math.ceil((Date.now() + resetMs) / 1000) * 1000)
  const isTooMuch = observed > most

  reply.headers({
    'ratelimit-name': name,
    'ratelimit-limit': most,
    'ratelimit-observed': observed,
    'ratelimit-remaining': Math.max(0, most - observed),
    'ratelimit-reset': resetsAt.getTime() / 1000
  })
  if (isTooMuch) {
    reply.code(429).type('text/plain')
    reply.headers({ 'retry-after': Math.max(1, Math.ceil(resetMs / 1000)), 'ratelimit-resettime': resetsAt.toUTCString() })
  }

  return isTooMuch
}

/** Counts for all processes where there is a Redis, and for this one alone where there is none or while it is away. */
export async function openCounter(app: FastifyInstance, redis: Backend['redis'], namespace: string) {
  const alone = await counter(app, { cache: 20_000 })

  if (!redis) return alone
  const prefix = `{${namespace}.limits}:`
  const atOnce = await counter(app, { redis, nameSpace: prefix })
  const soon = new SharedCounts(redis, prefix)
  let trustedFrom = 0

  app.addHook('onClose', () => soon.close())

  return (request: FastifyRequest) => {
    if (request.limit!.name !== ofSecrets) return soon.count(request.limit!.key)
    if (Date.now() < trustedFrom) return alone(request)

    return inTime(atOnce(request)).catch(() => {
      trustedFrom = Date.now() + distrustMs
      return alone(request)
    })
  }
}

/** The plugin's own idea of too much is put out of reach: it would not tell by how much a limit is exceeded. */
async function counter(app: FastifyInstance, options: RateLimitPluginOptions) {
  const max = Number.MAX_SAFE_INTEGER
  let ask: ReturnType<FastifyInstance['createRateLimit']>

  await app.register(async part => {
    await part.register(rateLimit, { ...options, global: false, max, timeWindow: minute, keyGenerator: request => request.limit!.key })
    ask = part.createRateLimit()
  })

  return async (request: FastifyRequest): Promise<Usage> => {
    const answer = await ask(request)

    return answer.isAllowed ? { observed: 0, resetMs: 0 } : { observed: max - answer.remaining, resetMs: answer.ttl }
  }
}

function inTime<T>(asked: Promise<T>) {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), patienceMs)

    asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
