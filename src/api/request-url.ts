import type { FastifyRequest } from 'fastify'

/** Query parameters with credentials, removed before a URL is used in a link. */
export const credentialParameters = new Set(['private_token', 'access_token', 'job_token'])

/** The public URL of this request, without credentials. */
export function requestUrl(request: FastifyRequest) {
  // Some proxies send an absolute URL instead of a path.
  const path = request.url.replace(/^https?:\/\/[^/?]*/i, '')
  const url = new URL(`${request.server.platform.config.baseUrl}${path}`)

  for (const name of credentialParameters) url.searchParams.delete(name)

  return url
}
