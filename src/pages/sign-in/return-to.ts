import type { FastifyRequest } from 'fastify'

/** Where somebody wanted to go before they were asked for something. */
export function returnTo(request: FastifyRequest) {
  return safePath((request.query as { return_to?: unknown }).return_to)
}

/** Only to a place of ours: a path, and not one that a browser takes for another host. */
export function safePath(path: unknown) {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path) && !/[\r\n\t]/.test(path) ? path : '/'
}
