import type { FastifyRequest } from 'fastify'

/** The page to go to after signing in. */
export function returnTo(request: FastifyRequest) {
  return safePath((request.query as { return_to?: unknown }).return_to)
}

/**
 * Prevents open redirects: only a path on this host, and none that a browser reads as another host. Other characters
 * than printable ASCII are not allowed in a header.
 */
export function safePath(path: unknown) {
  return typeof path === 'string' && /^\/(?![/\\])[!-~]*$/.test(path) ? path : '/'
}

/** The authorization endpoint, which redirects to the application. */
export function isAuthorization(path: string) {
  return path.startsWith('/oauth/authorize?')
}
