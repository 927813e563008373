import type { FastifyReply } from 'fastify'
import { clearSignedCookie, readSignedCookie, setSignedCookie } from '#api/guards/signed-cookie.ts'
import type { Outcome } from '#notifications/deliveries/outcome.ts'

/** What the receiver answered to a test, or a new signing secret: the page that follows the redirect shows it once. */
export interface OneTimeNotice {
  channelId: number
  secret?: string
  test?: Pick<Outcome, 'status' | 'answer'> & { ms: number }
}

const name = '_channel'
const maxAge = 60

export function setNotice(reply: FastifyReply, shown: OneTimeNotice) {
  setSignedCookie(reply, name, JSON.stringify(shown), maxAge)
}

export function takeNotice(reply: FastifyReply, channelId: number): Partial<OneTimeNotice> {
  const text = readSignedCookie(reply, name)
  const shown: OneTimeNotice | undefined = text && JSON.parse(text)

  if (shown?.channelId !== channelId) return {}
  clearSignedCookie(reply, name)

  return shown
}
