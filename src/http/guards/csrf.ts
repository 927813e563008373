import { createHmac, timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'

/** Derived from the session's secret, so that it changes with every sign-in. */
export function csrfTokenOf({ cookies }: FastifyRequest) {
  const secret = cookies?._service_session

  return secret && createHmac('sha256', secret).update('a form of ours').digest('base64url')
}

export function isCsrfToken(request: FastifyRequest, given: unknown) {
  const expected = csrfTokenOf(request)

  return (
    typeof given === 'string' && expected?.length === Buffer.byteLength(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  )
}
