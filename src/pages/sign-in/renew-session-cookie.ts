import type { FastifyReply } from 'fastify'
import { sessionCookieName } from '#api/guards/cookies.ts'
import { setSessionCookie } from './sign-in.ts'

/** The name of the cookie depends on the scheme of the address, which has changed: the session continues under the new one. */
export function renewSessionCookie(reply: FastifyReply, secret: string) {
  const { cookies, server } = reply.request
  const name = sessionCookieName(server.platform.config)

  if (cookies[name]) return
  cookies[name] = secret
  setSessionCookie(reply, secret)
}
