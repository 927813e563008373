import type { FastifyInstance } from 'fastify'
import { clientHeaders } from '#api/cors.ts'

/** Any origin may call these endpoints, with a token or its own secret: never with cookies. */
export function allowOAuthOrigins(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate, Retry-After' })
    if (request.method !== 'OPTIONS') return

    reply.headers({
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': clientHeaders,
      'access-control-max-age': '7200'
    })
  })
}
