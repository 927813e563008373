import type { FastifyReply } from 'fastify'
import { cookieOptions, deviceCookieName, sessionCookieName } from '#api/guards/cookies.ts'
import { deviceSeconds } from '#identity/sessions/known-device.ts'
import { sessionSeconds } from '#identity/sessions/sessions.ts'

export function setSessionCookie(reply: FastifyReply, secret: string) {
  return reply.setCookie(sessionCookieName(reply.server.platform.config), secret, { ...cookieOptions(reply), maxAge: sessionSeconds })
}

/** Signing out does not clear it. */
export function setDeviceCookie(reply: FastifyReply, secret: string) {
  return reply.setCookie(deviceCookieName(reply.server.platform.config), secret, { ...cookieOptions(reply), maxAge: deviceSeconds })
}

export function clearSessionCookie(reply: FastifyReply) {
  return reply.clearCookie(sessionCookieName(reply.server.platform.config), cookieOptions(reply))
}
