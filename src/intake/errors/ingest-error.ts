import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { InvalidEnvelope } from '#errors/parse/envelope-parser.ts'
import { BrokenBody, TooLarge } from '#lib/inflate.ts'
import { InflateBusy } from '#lib/inflate-limiter.ts'
import { lookUp } from '#lib/json.ts'
import { isUnavailable, QueueFull } from '#platform/problems.ts'

/** An error response of the ingest API. */
export class IngestError extends Error {
  status: number
  headers: Record<string, string>
  /** The reason under which the request is counted as dropped. */
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

/** Renders errors as SDKs read them: `{detail, causes}`, and the detail in `X-Sentry-Error`. */
export function renderIngestErrors(app: FastifyInstance, onError: (request: FastifyRequest, error: IngestError, cause: unknown) => void) {
  app.setErrorHandler((error, request, reply) => {
    const ingestError = toIngestError(error as FastifyError)

    if (ingestError.status === 500) request.log.error({ err: error, reqId: request.id }, 'failed to receive an envelope')
    else if (ingestError.status === 503) request.log.warn({ err: error }, 'cannot receive envelopes')

    onError(request, ingestError, error)

    return reply
      .code(ingestError.status)
      .headers(ingestError.headers)
      .header('x-sentry-error', ingestError.message)
      .send({ detail: ingestError.message, causes: [] })
  })
}

function toIngestError(error: FastifyError) {
  if (error instanceof IngestError) return error
  if (error instanceof TooLarge) return new IngestError(413, error.message, { reason: 'too_large' })
  if (error.statusCode === 413) return new IngestError(413, new TooLarge().message, { reason: 'too_large' })
  if (error instanceof BrokenBody || error instanceof InvalidEnvelope) return new IngestError(400, error.message)
  if (error instanceof QueueFull)
    return error.isTenantOnly
      ? rateLimited('Too many events of this project are waiting.', error.retryAfter, 'project:queue_full')
      : rateLimited('Too many events are waiting.', error.retryAfter, 'organization:queue_full')
  if (error instanceof InflateBusy) return rateLimited('Too many large envelopes are being read.', error.retryAfter, 'organization:busy')
  if (isUnavailable(error))
    return new IngestError(503, 'Events cannot be received right now; try again later.', {
      headers: { 'retry-after': '5' },
      reason: 'unavailable'
    })
  if (error.statusCode && error.statusCode < 500) return new IngestError(error.statusCode, error.message)

  return new IngestError(500, 'Internal error.', { reason: 'internal' })
}

export function wrongMethod(allowed: string[]) {
  return new IngestError(405, 'The method is not allowed.', { headers: { allow: allowed.join(', ') } })
}

/** What SDKs call the items that are not processed in `X-Sentry-Rate-Limits`, by type. */
const sdkCategories: Record<string, string> = {
  transaction: 'transaction',
  span: 'span',
  otel_span: 'span',
  profile: 'profile',
  profile_chunk: 'profile_chunk',
  replay_event: 'replay',
  replay_recording: 'replay',
  replay_video: 'replay',
  log: 'log_item',
  otel_log: 'log_item',
  trace_metric: 'trace_metric',
  statsd: 'metric_bucket',
  metric_buckets: 'metric_bucket'
}

/** Undefined for items that are processed, or that no SDK stops sending. */
export function unsupportedCategory(type: string) {
  return lookUp(sdkCategories, type)
}

/** SDKs stop sending for an hour what is not processed. A later release may process it. */
export function unsupportedLimit(categories: string[]) {
  return `3600:${categories.join(';')}:organization:unsupported`
}

/** SDKs stop sending for this many seconds, in these categories or else in all. */
export function rateLimited(detail: string, seconds: number, scope: string, categories = '') {
  return new IngestError(429, detail, {
    headers: { 'retry-after': String(seconds), 'x-sentry-rate-limits': `${seconds}:${categories}:${scope}` },
    reason: scope.split(':')[1]
  })
}
