import { createHmac } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const cookie = '_flash'

/** Shows a message once, on the next page after a redirect. Signed, so that no other site can set it. */
export function flash(reply: FastifyReply, text: string) {
  const { isSecure } = reply.server.platform.config
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure, maxAge: 60 } as const

  reply.setCookie(cookie, `${signature(reply, text)}.${Buffer.from(text).toString('base64url')}`, options)
}

/** Returns and clears the message. */
export function takeFlash(reply: FastifyReply) {
  const given = reply.request.cookies?.[cookie]

  if (!given) return undefined
  reply.clearCookie(cookie, { path: '/' })
  const [signed, encoded = ''] = given.split('.')
  const text = Buffer.from(encoded, 'base64url').toString()

  return signed === signature(reply, text) ? text : undefined
}

function signature({ request }: FastifyReply, text: string) {
  return createHmac('sha256', request.cookies?._service_session ?? '')
    .update(text)
    .digest('base64url')
}
