import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PreconditionFailed } from './problems/problems.ts'

/**
 * Tags what GET answers, and answers 304 to those who have it already. Not @fastify/etag, which tags errors and
 * answers to POST as well, and knows neither lists of tags nor `*`.
 */
export function answerConditionally(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isTagged(request, reply) || typeof payload !== 'string') return payload
    const etag = `W/"${hash('sha1', payload, 'base64url')}"`

    reply.header('etag', etag)
    // Another caller may see other things: nobody in between may keep it.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'max-age=0, private, must-revalidate')
    if (!isKnown(etag, request.headers['if-none-match'])) return payload

    reply.code(304).removeHeader('content-type').removeHeader('content-length')

    return ''
  })
}

/**
 * For PUT, PATCH and DELETE, once the resource is loaded: refuses when it changed since the date in
 * `If-Unmodified-Since`. What is not a date is as if it were not there (RFC 9110 §13.1.4).
 */
export function checkUnmodified({ headers }: FastifyRequest, updatedAt: Date) {
  const since = readHttpDate(headers['if-unmodified-since'])

  // The header knows no more than seconds.
  if (since !== undefined && Math.floor(updatedAt.getTime() / 1000) * 1000 > since) throw new PreconditionFailed()
}

function isTagged({ method }: FastifyRequest, { statusCode }: FastifyReply) {
  return (method === 'GET' || method === 'HEAD') && statusCode === 200
}

/** Compared weakly (RFC 9110 §13.1.2): a proxy may have made a strong tag of it, or sent several. */
function isKnown(etag: string, given = '') {
  const tags = given.split(',').map(tag => tag.trim().replace(/^W\//, ''))

  return tags.includes('*') || tags.includes(etag.slice(2))
}

const httpDates = [
  /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/
]

/** The three forms of RFC 9110 §5.6.7; the last has no zone, and means UTC. */
function readHttpDate(text = '') {
  if (!httpDates.some(form => form.test(text))) return undefined
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)

  return Number.isNaN(time) ? undefined : time
}
