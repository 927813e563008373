import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { readSession } from './cookies.ts'

export function csrfTokenOf(request: FastifyRequest) {
  const secret = readSession(request)

  return secret && csrfTokenFor(secret)
}

/** Derived from the session's secret, so that it changes with every sign-in. */
export function csrfTokenFor(secret: string) {
  return createHmac('sha256', secret).update('a form of ours').digest('base64url')
}

export function isCsrfToken(request: FastifyRequest, given: unknown) {
  const expected = csrfTokenOf(request)

  return (
    typeof given === 'string' && expected?.length === Buffer.byteLength(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  )
}
