import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, cookieOptions, readSession } from './cookies.ts'

/** A text for later pages of this session. Signed with the session's secret, so that no other site and no later user can use it. */
export function setSignedCookie(reply: FastifyReply, name: string, text: string, maxAge: number) {
  const value = `${sign(reply.request, text)}.${Buffer.from(text).toString('base64url')}`

  reply.setCookie(nameOf(reply, name), value, { ...cookieOptions(reply), maxAge })
}

/** Undefined without the cookie, and after the session has ended. */
export function readSignedCookie(reply: FastifyReply, name: string) {
  const [signature = '', encoded = ''] = reply.request.cookies?.[nameOf(reply, name)]?.split('.') ?? []
  const text = Buffer.from(encoded, 'base64url').toString()
  const expected = sign(reply.request, text)

  return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? text : undefined
}

export function clearSignedCookie(reply: FastifyReply, name: string) {
  if (reply.request.cookies?.[nameOf(reply, name)]) reply.clearCookie(nameOf(reply, name), cookieOptions(reply))
}

function nameOf({ server }: FastifyReply, name: string) {
  return cookieName(server.platform.config, name)
}

function sign(request: FastifyRequest, text: string) {
  return createHmac('sha256', readSession(request) ?? '')
    .update(text)
    .digest('base64url')
}
