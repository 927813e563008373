import type { IncomingHttpHeaders } from 'node:http'
import { IngestError } from './ingest-error.ts'

/**
 * Throws when the request comes from a page of another origin than those that the client key allows. As in Sentry, the
 * Referer counts without an Origin, and requests with neither, such as those of servers, pass.
 */
export function checkOrigin(allowedOrigins: readonly string[] = [], { origin, referer }: IncomingHttpHeaders) {
  const from = origin || referer

  if (allowedOrigins.length === 0 || !from || allowedOrigins.some(pattern => matches(pattern, URL.parse(from)))) return

  throw new IngestError(403, 'The client key does not allow this origin.', { reason: 'origin' })
}

/** A pattern is `*`, or a host with an optional scheme and port; `*.example.com` is the domain and its subdomains. */
function matches(pattern: string, url: URL | null) {
  if (pattern === '*') return true
  const [, protocol, host = '', port] = /^(?:([a-z]+:)\/\/)?([^:]+)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? []

  if (!url || (protocol && url.protocol !== protocol) || (port && portOf(url) !== port)) return false

  return host.startsWith('*.') ? `.${url.hostname}`.endsWith(host.slice(1)) : url.hostname === host
}

function portOf({ protocol, port }: URL) {
  return port || (protocol === 'https:' ? '443' : '80')
}
