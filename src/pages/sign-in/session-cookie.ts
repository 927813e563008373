import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionSeconds } from '../../identity/sessions/sessions.ts'

const name = '_service_session'

export function readSession(request: FastifyRequest) {
  return request.cookies?.[name]
}

export function setSessionCookie(reply: FastifyReply, secret: string) {
  return reply.setCookie(name, secret, { ...options(reply), maxAge: sessionSeconds })
}

export function clearSessionCookie(reply: FastifyReply) {
  return reply.clearCookie(name, options(reply))
}

function options({ server }: FastifyReply) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: server.platform.config.isSecure } as const
}
