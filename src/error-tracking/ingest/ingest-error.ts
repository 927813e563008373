import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { BrokenBody, TooLarge } from '../../lib/inflate.ts'
import { isAway, QueueFull } from '../../platform/problems.ts'
import { InvalidEnvelope } from '../parse/envelope.ts'

/** What the door for SDKs says instead of taking an envelope. */
export class IngestError extends Error {
  status: number
  headers: Record<string, string>
  /** By which it is counted. */
  reason: string

  constructor(
    status: number,
    detail: string,
    { headers = {}, reason = 'invalid' }: { headers?: Record<string, string>; reason?: string } = {}
  ) {
    super(detail)
    this.status = status
    this.headers = headers
    this.reason = reason
  }
}

const quietMs = 10_000

/** Answers in the shape that SDKs read: `{detail, causes}`, and the same in a header. */
export function renderIngestErrors(app: FastifyInstance, refused: (request: FastifyRequest, refusal: IngestError) => void = () => {}) {
  let quietUntil = 0

  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error as FastifyError)

    if (refusal.status === 500) request.log.error({ err: error, reqId: request.id }, 'an envelope could not be taken')
    else if (refusal.status === 503 && Date.now() > quietUntil) {
      // The same for all of them: said for each, it would fill the disk while the database is away.
      quietUntil = Date.now() + quietMs
      request.log.warn({ err: error }, 'envelopes cannot be taken')
    }

    refused(request, refusal)

    return reply
      .code(refusal.status)
      .headers(refusal.headers)
      .header('x-sentry-error', refusal.message)
      .send({ detail: refusal.message, causes: [] })
  })
}

function toRefusal(error: FastifyError) {
  if (error instanceof IngestError) return error
  if (error instanceof TooLarge) return new IngestError(413, error.message, { reason: 'too_large' })
  if (error.statusCode === 413) return new IngestError(413, new TooLarge().message, { reason: 'too_large' })
  if (error instanceof BrokenBody || error instanceof InvalidEnvelope) return new IngestError(400, error.message)
  if (error instanceof QueueFull)
    return error.isTenantOnly
      ? rateLimited('Too many events of this project wait to be processed.', error.retryAfter, 'project:queue_full')
      : rateLimited('Too many events wait to be processed.', error.retryAfter, 'organization:queue_full')
  if (isAway(error))
    return new IngestError(503, 'Events cannot be taken right now; try again later.', {
      headers: { 'retry-after': '5' },
      reason: 'unavailable'
    })
  if (error.statusCode && error.statusCode < 500) return new IngestError(error.statusCode, error.message)

  return new IngestError(500, 'Internal error.', { reason: 'internal' })
}

/** SDKs are then silent for so many seconds, in all categories, as far as the scope goes. */
export function rateLimited(detail: string, seconds: number, scope: string) {
  return new IngestError(429, detail, {
    headers: { 'retry-after': String(seconds), 'x-sentry-rate-limits': `${seconds}::${scope}` },
    reason: scope.split(':')[1]
  })
}
