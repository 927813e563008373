import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { parseIsoTime } from '#lib/time.ts'
import { matchesNothing } from '../parameters/unsupported-filters.ts'
import { BadParameter, Problem } from '../problems/problems.ts'
import { requestUrl } from '../request-url.ts'
import { linkTo, perPageOf } from './offset.ts'

/** Query schema of lists with keyset pagination. */
export const keysetParameters = {
  pagination: Type.Optional(Type.String({ description: '`keyset` for keyset pagination.' })),
  cursor: Type.Optional(Type.String({ description: 'Position of the page; taken from a `Link` header.' })),
  order_by: Type.Optional(Type.String()),
  sort: Type.Optional(Type.Enum(['asc', 'desc']))
}

export type Sort = 'asc' | 'desc'

export interface Order {
  by: string
  sort: Sort
}

export function isKeyset(request: FastifyRequest) {
  return (request.query as { pagination?: string }).pagination === 'keyset'
}

/** The requested order, which must be one of `orders`, such as `{ id: ['asc', 'desc'] }`. Many clients omit `sort`. */
export function keysetOrder(request: FastifyRequest, orders: Record<string, Sort[]>): Order {
  const { order_by: by, sort } = request.query as { order_by?: string; sort?: Sort }

  if (!by) throw new BadParameter('order_by is missing')
  const sorts = Object.hasOwn(orders, by) ? orders[by] : undefined
  const direction = sort ?? (sorts?.includes('desc') ? 'desc' : 'asc')

  if (!sorts?.includes(direction)) {
    throw new Problem(405, { error: 'Keyset pagination is not yet available for this type of request' })
  }

  return { by, sort: direction }
}

/** Sends one page. `rows` holds one row more than a page when there is a next page. */
export function keysetPage<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  rows: Row[],
  next: (last: Row) => Record<string, string | number>
) {
  const perPage = perPageOf(request.query)

  if (matchesNothing(request)) return []
  if (rows.length <= perPage) return rows
  const page = rows.slice(0, perPage)

  reply.header('link', `<${linkTo(request, next(page.at(-1)!))}>; rel="next"`)

  return page
}

export interface BidirectionalList<Row, Position extends unknown[]> {
  /** The types of a position's parts. */
  shape: (keyof typeof partTypes)[]
  positionOf: (row: Row) => Position
  /** Rows after a position, or from the start. Backwards: rows before it, nearest first. */
  list: (from: Position | undefined, isBackwards: boolean, limit: number) => Promise<Row[]>
}

/** A keyset page with `prev` and `next` links. Its cursors contain their direction. A later page by its number is refused. */
export async function bidirectionalPage<Row, Position extends unknown[]>(
  request: FastifyRequest,
  reply: FastifyReply,
  { shape, positionOf, list }: BidirectionalList<Row, Position>
) {
  const { cursor } = request.query as { cursor?: string }

  if ((requestUrl(request).searchParams.get('page') ?? '1') !== '1') throw new OffsetUnavailable()
  const [direction, ...from] = decodeCursor<[Direction, ...Position]>(cursor, 'direction', ...shape) ?? ['start']
  const isBackwards = direction === 'before'
  const perPage = perPageOf(request.query)
  const rows = await list(direction === 'start' ? undefined : (from as unknown as Position), isBackwards, perPage + 1)
  const hasMore = rows.length > perPage
  const page = isBackwards ? rows.slice(0, perPage).reverse() : rows.slice(0, perPage)
  const links = [
    { rel: 'prev', direction: 'before', row: page[0], exists: isBackwards ? hasMore : direction === 'after' },
    { rel: 'next', direction: 'after', row: page.at(-1), exists: isBackwards || hasMore }
  ].flatMap(({ rel, direction, row, exists }) =>
    row && exists ? [`<${cursorLink(request, encodeCursor([direction, ...positionOf(row)]))}>; rel="${rel}"`] : []
  )

  if (links.length > 0) reply.header('link', links.join(', '))

  return page
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

type Direction = 'start' | 'after' | 'before'

/** Encodes a position as a URL-safe cursor. */
export function encodeCursor(position: unknown[]) {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

const partTypes = {
  time: (given: unknown) => typeof given === 'string' && parseIsoTime(given) !== undefined,
  id: (given: unknown) => Number.isSafeInteger(given),
  text: (given: unknown) => typeof given === 'string' && given.length <= 1000 && !given.includes('\0'),
  direction: (given: unknown) => given === 'after' || given === 'before',
  uuid: (given: unknown) => typeof given === 'string' && /^[0-9a-f-]{36}$/.test(given)
}

/** Decodes and validates a cursor; 400 when it is not one of ours. */
export function decodeCursor<Position extends unknown[]>(cursor: string | undefined, ...shape: (keyof typeof partTypes)[]) {
  if (!cursor) return undefined

  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Position
    if (Array.isArray(position) && position.length === shape.length && shape.every((type, n) => partTypes[type](position[n])))
      return position
  } catch {}

  throw new BadParameter('cursor is invalid')
}
