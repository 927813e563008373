import type { FastifyRequest } from 'fastify'
import { Problem } from './problems.ts'

/** For PUT and DELETE, once the resource is loaded: refuses when it changed since the date in `If-Unmodified-Since`. */
export function checkUnmodified({ headers }: FastifyRequest, updatedAt: Date) {
  const since = Date.parse(headers['if-unmodified-since'] ?? '')

  // The header knows no more than seconds; what is not a date is as if it were not there (RFC 9110 §13.1.4).
  if (Math.floor(updatedAt.getTime() / 1000) * 1000 > since) throw new Problem(412, { message: '412 Precondition Failed' })
}
