import type { FastifyRequest } from 'fastify'

/** How a caller may say who it is, in a query: none of a route's business, and not to be handed on. */
export const credentials = new Set(['private_token', 'access_token', 'job_token'])

/** This request's own address as clients reach it, without what nobody else should see. */
export function ownAddress(request: FastifyRequest) {
  // Some proxies send the whole address instead of the path.
  const path = request.url.replace(/^https?:\/\/[^/?]*/i, '')
  const url = new URL(`${request.server.platform.config.baseUrl}${path}`)

  for (const name of credentials) url.searchParams.delete(name)

  return url
}
