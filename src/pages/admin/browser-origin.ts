import type { FastifyRequest } from 'fastify'

/**
 * The origin at which the browser has this page open. Only for proposals and warnings: what proxies forward is believed. What the
 * browser itself names has the scheme that a proxy may have dropped.
 */
export function browserOrigin({ headers, host, protocol }: FastifyRequest) {
  const named = [headers.origin, headers.referer].map(text => URL.parse(text ?? '')).find(url => url?.host === host)

  return named?.origin ?? new URL(`${forwarded(headers['x-forwarded-proto']) ?? protocol}://${host}`).origin
}

function forwarded(header: string | string[] | undefined) {
  return /^https?(?=,|$)/.exec(String(header ?? ''))?.[0]
}
