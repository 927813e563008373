import type { FastifyReply } from 'fastify'
import { clearSignedCookie, readSignedCookie, setSignedCookie } from '#api/guards/signed-cookie.ts'

const name = '_flash'

/** Shows a message once, on the next page after a redirect. */
export function flash(reply: FastifyReply, text: string) {
  setSignedCookie(reply, name, text, 60)
}

/** Returns and clears the message. */
export function takeFlash(reply: FastifyReply) {
  const text = readSignedCookie(reply, name)

  clearSignedCookie(reply, name)

  return text
}
