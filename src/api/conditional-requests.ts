import { hash } from 'node:crypto'
import { LockMode } from '@mikro-orm/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ModifiedSince, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'

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

const precondition = 'unmodified-since'

/** From now on, what this unit of work and its transactions lock for a change must not have been modified after this time. */
export function requireUnmodified(em: EntityManager, since: Date | undefined) {
  if (since) em.setFilterParams(precondition, { since })
}

/** The time that the unit of work requires. */
export function unmodifiedSinceOf(em: EntityManager) {
  return (em.getFilterParams(precondition) as { since: Date } | undefined)?.since
}

interface Row {
  createdAt?: Date
  updatedAt?: Date
}

/**
 * Locks a row and reads it again. Throws 412 when it changed after the time that `requireUnmodified` set, which has a resolution of seconds:
 * `updatedAt` moves to a later second, so that one of several requests with the same date succeeds.
 */
export async function lockForChange(em: EntityManager, row: Row) {
  const since = unmodifiedSinceOf(em)

  if (!(await em.refresh(row, { lockMode: LockMode.PESSIMISTIC_WRITE }))) throw new NotFound()
  checkUnmodified((row.updatedAt ?? row.createdAt)!, since)
  if (since && row.updatedAt) row.updatedAt = new Date(Math.max(Date.now(), since.getTime() + 1000))
}

export function checkUnmodified(updatedAt: Date, since: Date | undefined) {
  if (since && Math.floor(updatedAt.getTime() / 1000) * 1000 > since.getTime()) throw new ModifiedSince()
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
