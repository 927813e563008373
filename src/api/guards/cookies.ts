import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** With https, the prefix makes browsers refuse a cookie that another host or an http page sets (RFC 6265bis §4.1.3.2). */
export function cookieName(config: { isSecure: boolean }, name: string) {
  return config.isSecure ? `__Host-${name}` : name
}

export function sessionCookieName(config: { isSecure: boolean }) {
  return cookieName(config, '_service_session')
}

/** The secret of the browser's session. */
export function readSession(request: FastifyRequest) {
  return request.cookies?.[sessionCookieName(request.server.platform.config)] || undefined
}

export function deviceCookieName(config: { isSecure: boolean }) {
  return cookieName(config, '_service_device')
}

/** The secret of a browser that a user signed in with before. */
export function readDevice(request: FastifyRequest) {
  return request.cookies?.[deviceCookieName(request.server.platform.config)] || undefined
}

export function cookieOptions({ server }: FastifyReply) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: server.platform.config.isSecure } as const
}
