import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Adds a weak ETag to successful GET responses, and answers 304 when `If-None-Match` has it. @fastify/etag also
 * tags errors and POST responses, and supports neither lists of tags nor `*`.
 */
export function conditionalGet(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isCacheable(request, reply) || typeof payload !== 'string') return payload
    const etag = `W/"${hash('sha1', payload, 'base64url')}"`

    reply.header('etag', etag)
    // Responses depend on the caller, so shared caches must not store them.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'max-age=0, private, must-revalidate')
    if (!matches(etag, request.headers['if-none-match'])) return payload

    reply.code(304).removeHeader('content-type').removeHeader('content-length')

    return ''
  })
}

const minuteMs = 60_000

/**
 * Reads `If-Unmodified-Since`. An invalid date is ignored (RFC 9110 §13.1.4). A date far ahead is replaced by the end of the
 * next minute, because `lockForChange` moves `updatedAt` past it.
 */
export function readUnmodifiedSince({ headers }: FastifyRequest) {
  const since = readHttpDate(headers['if-unmodified-since'])
  const latest = (Math.ceil(Date.now() / minuteMs) + 1) * minuteMs

  return since === undefined ? undefined : new Date(Math.min(since, latest))
}

function isCacheable({ method }: FastifyRequest, { statusCode }: FastifyReply) {
  return (method === 'GET' || method === 'HEAD') && statusCode === 200
}

/** Weak comparison (RFC 9110 §13.1.2). */
function matches(etag: string, given = '') {
  const tags = given.split(',').map(tag => tag.trim().replace(/^W\//, ''))

  return tags.includes('*') || tags.includes(etag.slice(2))
}

const httpDates = [
  /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/
]

/** Parses the three formats of RFC 9110 §5.6.7; the last has no time zone and means UTC. */
function readHttpDate(text = '') {
  if (!httpDates.some(form => form.test(text))) return undefined
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)

  return Number.isNaN(time) ? undefined : time
}
