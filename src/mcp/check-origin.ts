import type { FastifyRequest } from 'fastify'
import { Forbidden } from '#api/problems/problems.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Streamable HTTP, security warning: a browser sends the origin of the page, and a page that reaches this server by DNS
 * rebinding has an origin of its own. Other clients send none.
 */
export function checkOrigin({ headers }: FastifyRequest, baseUrl: string) {
  const { origin } = headers

  if (origin === undefined) return
  const url = URL.parse(origin)

  if (!url || (url.origin !== new URL(baseUrl).origin && !loopback.has(url.hostname))) throw new Forbidden('Unknown origin')
}
