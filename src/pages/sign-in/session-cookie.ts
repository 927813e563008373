import type { FastifyReply } from 'fastify'
import { cookieOptions, sessionCookieName } from '../../http/guards/cookies.ts'
import { sessionSeconds } from '../../identity/sessions/sessions.ts'

export function setSessionCookie(reply: FastifyReply, secret: string) {
  return reply.setCookie(sessionCookieName(reply.server.platform.config), secret, { ...cookieOptions(reply), maxAge: sessionSeconds })
}

export function clearSessionCookie(reply: FastifyReply) {
  return reply.clearCookie(sessionCookieName(reply.server.platform.config), cookieOptions(reply))
}
