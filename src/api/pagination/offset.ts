import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Rows } from '#platform/database/list.ts'
import { matchesNothing } from '../parameters/unsupported-filters.ts'
import { Problem } from '../problems/problems.ts'
import { requestUrl } from '../request-url.ts'
import { emptyPage, readNumbered } from './page.ts'

/** Put into a list's query schema beside its own parameters. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'The page, from 1.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, default: 20, description: 'Rows per page, at most 100.' }))
}

/** Above this many rows, totals and the last page are left out: counting further is slow. */
const maxCounted = 10_000

interface Numbered<Row> extends Rows<Row> {
  /** The type of the rows, if the list has keyset pages, too: it then refuses large offsets. */
  type?: string | undefined
}

/** Error tracking's clients say `limit`. */
export function perPageOf(query: unknown) {
  const { per_page: perPage, limit } = query as { per_page?: number; limit?: number }

  return Math.min(100, perPage ?? limit ?? 20)
}

/** One page of a list, with the pagination headers. */
export async function offsetPage<Row>(request: FastifyRequest, reply: FastifyReply, { list, count, type }: Numbered<Row>) {
  const { page = 1 } = request.query as { page?: number }
  const perPage = perPageOf(request.query)

  const { maxOffset } = request.server.platform.config

  if (type && page * perPage > maxOffset) throw new OffsetTooLarge(type, maxOffset)
  const [{ rows, hasMore }, counted] = matchesNothing(request)
    ? [emptyPage, 0]
    : await Promise.all([readNumbered({ list }, page, perPage), count(maxCounted + 1)])
  const total = counted > maxCounted ? undefined : counted

  sendHeaders(request, reply, { page, perPage, hasMore, total })

  return rows
}

class OffsetTooLarge extends Problem {
  constructor(type: string, maxOffset: number) {
    super(405, {
      error:
        `Offset pagination has a maximum allowed offset of ${maxOffset} for requests that return objects of type ${type}. ` +
        'Remaining records can be retrieved using keyset pagination.'
    })
  }
}

interface PagePosition {
  page: number
  perPage: number
  hasMore: boolean
  total?: number
}

function sendHeaders(request: FastifyRequest, reply: FastifyReply, { page, perPage, hasMore, total }: PagePosition) {
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage))
  const isBeyond = pages !== undefined && page > pages
  const previous = page > 1 && !isBeyond ? page - 1 : undefined
  const next = hasMore ? page + 1 : undefined
  const links = Object.entries({ prev: previous, next, first: 1, last: pages })

  reply.headers({
    'x-page': page,
    'x-per-page': perPage,
    'x-prev-page': previous ?? '',
    'x-next-page': next ?? '',
    ...(pages && { 'x-total': total, 'x-total-pages': pages }),
    link: links.flatMap(([rel, to]) => (to ? [`<${linkTo(request, { page: to, per_page: perPage })}>; rel="${rel}"`] : [])).join(', ')
  })
}

/** This request's own address, as clients reach it, with some parameters replaced. */
export function linkTo(request: FastifyRequest, parameters: Record<string, string | number>) {
  const url = requestUrl(request)

  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))

  return url.href
}
