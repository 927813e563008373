import type { FastifyRequest } from 'fastify'

/**
 * The origin at which the browser has this page open. Only for proposals and warnings: what proxies forward is believed. What the
 * browser itself says has the scheme that a proxy may have dropped.
 */
export function browserOrigin({ headers, host, protocol }: Pick<FastifyRequest, 'headers' | 'host' | 'protocol'>) {
  const named = [headers.origin, headers.referer].map(text => URL.parse(text ?? '')).find(url => url?.host === host)
  const scheme = forwarded(headers['x-forwarded-proto']) ?? (isTrustworthy({ headers }) && !isThisMachine(host) ? 'https' : protocol)

  return named?.origin ?? new URL(`${scheme}://${host}`).origin
}

function forwarded(header: string | string[] | undefined) {
  return /^https?(?=,|$)/.exec(String(header ?? ''))?.[0]
}

/** Whether the browser accepts secure cookies: it sends this header over HTTPS and to its own machine. */
export function isTrustworthy({ headers }: Pick<FastifyRequest, 'headers'>) {
  return headers['sec-fetch-site'] !== undefined
}

function isThisMachine(host: string) {
  return /^((.+\.)?localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(host)
}
