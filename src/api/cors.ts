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
  'Retry-After',
  'WWW-Authenticate'
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

/** Headers of OAuth and MCP clients in a browser. No others: a page cannot pass for a script of ours. */
export const clientHeaders = 'Authorization, Content-Type, Accept, MCP-Protocol-Version'

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': clientHeaders,
  'access-control-max-age': '7200'
}

/** Documents that clients on any origin read: answers the preflight of each GET route that is registered after this. */
export function allowReaders(app: FastifyInstance) {
  app.addHook('onRequest', async (_request, reply) => void reply.header('access-control-allow-origin', '*'))
  app.addHook('onRoute', ({ url, method }) => {
    if (method === 'GET') app.options(url, (_request, reply) => reply.code(204).headers(preflight).send())
  })
}
