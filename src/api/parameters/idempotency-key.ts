import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Rejected } from '#lib/refusals.ts'

const maxKeyLength = 255

/** The id of a request: requests of one sender with the same Idempotency-Key are processed once. Undefined without one. */
export function readIdempotencyKey({ 'idempotency-key': key }: IncomingHttpHeaders, sender: number | string) {
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
    throw new Rejected(`Idempotency-Key must have 1 to ${maxKeyLength} characters`)
  }

  return hash('sha256', `${sender} ${key}`).slice(0, 32)
}
