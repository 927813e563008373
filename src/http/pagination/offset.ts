import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Problem } from '../problems/problems.ts'
import { requestUrl } from '../request-url.ts'

/** Put into a list's query schema beside its own parameters. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'The page, from 1.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, default: 20, description: 'Rows on a page; at most 100.' }))
}

/** Above this many rows nobody counts on: totals and the last page are left out. */
const mostCounted = 10_000
const largestOffset = 50_000

export interface Rows<Row> {
  list: (limit: number, offset: number) => Promise<Row[]>
  /** How many there are, counting no further than told. */
  count: (most: number) => Promise<number>
  /** Both in one, where finding the rows is what costs. */
  gather?: (limit: number, offset: number, most: number) => Promise<Gathered<Row>>
  /** What the rows are, for lists that can be read by keyset too: only these refuse large offsets. */
  type?: string
}

export interface Gathered<Row> {
  rows: Row[]
  /** How many there are in all; nothing where there are more than are counted. */
  total?: number | undefined
}

/** Error tracking's clients say `limit`. */
export function perPageOf(query: unknown) {
  const { per_page: perPage, limit } = query as { per_page?: number; limit?: number }

  return Math.min(100, perPage ?? limit ?? 20)
}

/** One page of a list, with the headers that lead to the others. */
export async function offsetPage<Row>(request: FastifyRequest, reply: FastifyReply, rows: Rows<Row>) {
  const { page = 1 } = request.query as { page?: number }
  const perPage = perPageOf(request.query)

  if (rows.type && page * perPage > largestOffset) throw new OffsetTooLarge(rows.type)
  const found = await read(request, rows, perPage + 1, (page - 1) * perPage)

  sendHeaders(request, reply, { page, perPage, hasMore: found.rows.length > perPage, total: found.total })

  return found.rows.slice(0, perPage)
}

async function read<Row>(request: FastifyRequest, rows: Rows<Row>, limit: number, offset: number): Promise<Gathered<Row>> {
  const { crowded } = request.server

  if (crowded.has(request)) return { rows: await rows.list(limit, offset) }
  const gathered = await (rows.gather ?? gatherBoth(rows))(limit, offset, mostCounted)

  if (gathered.total === undefined) crowded.add(request)

  return gathered
}

function gatherBoth<Row>({ list, count }: Rows<Row>) {
  return async (limit: number, offset: number, most: number) => {
    const [rows, total] = await Promise.all([list(limit, offset), count(most + 1)])

    return { rows, total: total > most ? undefined : total }
  }
}

class OffsetTooLarge extends Problem {
  constructor(type: string) {
    super(405, {
      error:
        `Offset pagination has a maximum allowed offset of ${largestOffset} for requests that return objects of type ${type}. ` +
        'Remaining records can be retrieved using keyset pagination.'
    })
  }
}

interface Place {
  page: number
  perPage: number
  hasMore: boolean
  total?: number
}

function sendHeaders(request: FastifyRequest, reply: FastifyReply, { page, perPage, hasMore, total }: Place) {
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
