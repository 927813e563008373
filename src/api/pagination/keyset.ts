import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { InvalidInput } from '#lib/refusals.ts'
import type { Keyset, List, Position, Sort } from '#platform/database/list.ts'
import { matchesNothing } from '../parameters/unsupported-filters.ts'
import { Problem } from '../problems/problems.ts'
import { requestUrl } from '../request-url.ts'
import { linkTo, offsetPage, perPageOf } from './offset.ts'
import { type Page, readPage, readTwoWayPage } from './page.ts'

/** Query schema of lists with keyset pagination. */
export const keysetParameters = {
  pagination: Type.Optional(Type.String({ description: '`keyset` for keyset pagination.' })),
  cursor: Type.Optional(Type.String({ description: 'Position of the page; taken from a `Link` header.' })),
  order_by: Type.Optional(Type.String()),
  sort: Type.Optional(Type.Enum(['asc', 'desc']))
}

export interface Order<By extends string = string> {
  by: By
  sort: Sort
}

/** The orders that a list offers by keyset, such as `{ id: ['asc', 'desc'] }`. */
export type Orders<By extends string = string> = { [by in By]?: Sort[] }

export function isKeyset(request: FastifyRequest) {
  return (request.query as { pagination?: string }).pagination === 'keyset'
}

/** The requested order, which must be one of `orders`. Many clients omit `sort`. */
export function keysetOrder<By extends string>(request: FastifyRequest, orders: Orders<By>): Order<By> {
  const { order_by: by, sort } = request.query as { order_by?: By; sort?: Sort }

  if (!by) throw new InvalidInput('order_by is missing')
  const sorts = Object.hasOwn(orders, by) ? orders[by] : undefined
  const direction = sort ?? (sorts?.includes('desc') ? 'desc' : 'asc')

  if (!sorts?.includes(direction)) {
    throw new Problem(405, { error: 'Keyset pagination is not yet available for this type of request' })
  }

  return { by, sort: direction }
}

interface ListOptions<Row, By extends string> {
  /** The type of the rows, if large offsets are refused. */
  type?: string
  orders: Orders<By>
  /** Opens the list in the requested order. */
  open: (order: Partial<Order<By>>) => List<Row> | Promise<List<Row>>
}

/** A page by its number, or by keyset if the request asks for it. */
export async function listPage<Row, By extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, orders, open }: ListOptions<Row, By>
) {
  if (isKeyset(request)) return keysetPage(request, reply, await open(keysetOrder(request, orders)))
  const { order_by: by, sort } = request.query as Partial<Order<By> & { order_by: By }>

  return offsetPage(request, reply, { ...(await open({ by, sort })), type })
}

/** The page at the cursor; its link also has the other parameters that its address needs. */
export async function keysetPage<Row, P extends Position>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: Keyset<Row, P>,
  others: Record<string, string> = {}
) {
  const { cursor } = request.query as { cursor?: string }
  const page = await readPage(list, cursor, perPageOf(request.query))

  return sendKeyset(request, reply, page, () => ({ ...others, cursor: page.next! }))
}

/** Sends a page with a link to the next one. */
export function sendKeyset<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, hasMore }: Page<Row>,
  next: (last: Row) => Record<string, string | number>
) {
  if (matchesNothing(request)) return []
  if (hasMore) reply.header('link', `<${linkTo(request, next(rows.at(-1)!))}>; rel="next"`)

  return rows
}

/** A keyset page with `prev` and `next` links. A later page by its number is refused. */
export async function twoWayPage<Row, P extends Position>(request: FastifyRequest, reply: FastifyReply, list: Keyset<Row, P>) {
  const { cursor } = request.query as { cursor?: string }

  if ((requestUrl(request).searchParams.get('page') ?? '1') !== '1') throw new OffsetUnavailable()
  const { rows, previous, next } = await readTwoWayPage(list, cursor, perPageOf(request.query))
  const links = Object.entries({ prev: previous, next }).flatMap(([rel, to]) => (to ? [`<${cursorLink(request, to)}>; rel="${rel}"`] : []))

  if (links.length > 0) reply.header('link', links.join(', '))

  return rows
}

/** GitLab reads the cursor of `Link` by a pattern: it must be followed by another parameter. */
function cursorLink(request: FastifyRequest, cursor: string) {
  const url = requestUrl(request)
  const parameters = [...url.searchParams].filter(([name]) => name !== 'cursor' && name !== 'per_page')

  url.search = new URLSearchParams([['cursor', cursor], ['per_page', String(perPageOf(request.query))], ...parameters]).toString()

  return url.href
}

class OffsetUnavailable extends Problem {
  constructor() {
    super(405, { error: 'Offset pagination is not available for this type of request. Use the cursors in the Link header.' })
  }
}
