import { createHmac } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const cookie = '_flash'

/** Says something on the next page, once: after a redirect the page that knows it is gone. */
export function flash(reply: FastifyReply, text: string) {
  const { isSecure } = reply.server.platform.config
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure, maxAge: 60 } as const

  reply.setCookie(cookie, `${signature(reply, text)}.${Buffer.from(text).toString('base64url')}`, options)
}

/** What was left for this page; nobody else can leave anything. */
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
