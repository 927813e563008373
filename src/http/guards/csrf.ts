import { createHmac, timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'

/** What only a page of ours can know: made from the session's secret, and another after each sign-in. */
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
