import type { FastifyError, FastifyInstance } from 'fastify'
import { isAway, QueueFull } from '../platform/problems.ts'
import { BrokenEnvelope } from './envelope.ts'
import { BrokenBody, TooLarge } from './inflate.ts'

/** What the door for SDKs says instead of taking an envelope. */
export class Refusal extends Error {
  status: number
  headers: Record<string, string>

  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail)
    this.status = status
    this.headers = headers
  }
}

const quietMs = 10_000

/** Answers in the shape that SDKs read: `{detail, causes}`, and the same in a header. */
export function renderRefusals(app: FastifyInstance) {
  let quietUntil = 0

  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error as FastifyError)

    if (refusal.status === 500) request.log.error({ err: error, reqId: request.id }, 'an envelope could not be taken')
    else if (refusal.status === 503 && Date.now() > quietUntil) {
      // The same for all of them: said for each, it would fill the disk while the database is away.
      quietUntil = Date.now() + quietMs
      request.log.warn({ err: error }, 'envelopes cannot be taken')
    }

    return reply
      .code(refusal.status)
      .headers(refusal.headers)
      .header('x-sentry-error', refusal.message)
      .send({ detail: refusal.message, causes: [] })
  })
}

function toRefusal(error: FastifyError) {
  if (error instanceof Refusal) return error
  if (error instanceof TooLarge || error.statusCode === 413) return new Refusal(413, 'The envelope is too large.')
  if (error instanceof BrokenBody || error instanceof BrokenEnvelope) return new Refusal(400, error.message)
  if (error instanceof QueueFull) return tooMany(error.retryAfter)
  if (isAway(error)) return new Refusal(503, 'Events cannot be taken right now; try again later.', { 'retry-after': '5' })
  if (error.statusCode && error.statusCode < 500) return new Refusal(error.statusCode, error.message)

  return new Refusal(500, 'Internal error.')
}

/** All categories, for the whole organisation: SDKs then stay silent for so many seconds. */
function tooMany(seconds: number) {
  return new Refusal(429, 'Too many events wait to be processed.', {
    'retry-after': String(seconds),
    'x-sentry-rate-limits': `${seconds}::organization:queue_full`
  })
}
