import type { FastifyInstance } from 'fastify'

const exposed = [
  'ETag',
  'Link',
  'X-Total',
  'X-Total-Pages',
  'X-Per-Page',
  'X-Page',
  'X-Next-Page',
  'X-Prev-Page',
  'RateLimit-Limit',
  'RateLimit-Name',
  'RateLimit-Observed',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-ResetTime',
  'Retry-After'
].join(', ')

/** Any origin may call with a token. Browsers send no cookies when the allowed origin is `*`. */
export function allowAllOrigins(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed })
    if (request.method !== 'OPTIONS') return

    reply.headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '7200'
    })
  })
}
