import { createHmac } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { cookieName, cookieOptions, readSession } from '../../http/guards/cookies.ts'

/** Shows a message once, on the next page after a redirect. Signed, so that no other site can set it. */
export function flash(reply: FastifyReply, text: string) {
  const value = `${signature(reply, text)}.${Buffer.from(text).toString('base64url')}`

  reply.setCookie(nameOf(reply), value, { ...cookieOptions(reply), maxAge: 60 })
}

/** Returns and clears the message. */
export function takeFlash(reply: FastifyReply) {
  const given = reply.request.cookies?.[nameOf(reply)]

  if (!given) return undefined
  reply.clearCookie(nameOf(reply), cookieOptions(reply))
  const [signed, encoded = ''] = given.split('.')
  const text = Buffer.from(encoded, 'base64url').toString()

  return signed === signature(reply, text) ? text : undefined
}

function nameOf({ server }: FastifyReply) {
  return cookieName(server.platform.config, '_flash')
}

function signature({ request }: FastifyReply, text: string) {
  return createHmac('sha256', readSession(request) ?? '')
    .update(text)
    .digest('base64url')
}
