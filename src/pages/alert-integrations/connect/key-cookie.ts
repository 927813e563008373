import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Integration } from '#alerts/integrations/integration.ts'
import { readSignedCookie, setSignedCookie } from '#api/guards/signed-cookie.ts'
import { hashSecret } from '#identity/secrets.ts'

const name = '_integration_key'
const halfAnHour = 30 * 60

/** Keeps a key in the browser, to fill it in on the pages of its integration for a while. The server stores only its hash. */
export function setKeyCookie(reply: FastifyReply, key: string) {
  setSignedCookie(reply, name, key, halfAnHour)
}

/** The key that the browser keeps, if it is of this integration. */
export function readKeyCookie(reply: FastifyReply, integration: Integration) {
  const key = readSignedCookie(reply, name)

  return key && isKeyOf(integration, key) ? key : undefined
}

export function isKeyOf({ tokenHash }: Integration, key: string) {
  return timingSafeEqual(hashSecret(key), tokenHash)
}
