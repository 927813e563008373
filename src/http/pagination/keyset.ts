import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { BadParameter, Problem } from '../problems/problems.ts'
import { linkTo, perPageOf } from './offset.ts'

/** Put into the query schema of a list that can be read by keyset. */
export const keysetParameters = {
  pagination: Type.Optional(Type.String({ description: '`keyset` to page by position instead of by number.' })),
  cursor: Type.Optional(Type.String({ description: 'Where the previous page ended; taken from its `Link`.' })),
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

/** The order that a keyset request asks for: one of those the list has, such as `{ id: ['asc', 'desc'] }`. Many clients leave out `sort`. */
export function keysetOrder(request: FastifyRequest, orders: Record<string, Sort[]>): Order {
  const { order_by: by, sort } = request.query as { order_by?: string; sort?: Sort }

  if (!by) throw new BadParameter('order_by is missing')
  const sorts = Object.hasOwn(orders, by) ? orders[by] : undefined
  const wanted = sort ?? (sorts?.includes('desc') ? 'desc' : 'asc')

  if (!sorts?.includes(wanted)) {
    throw new Problem(405, { error: 'Keyset pagination is not yet available for this type of request' })
  }

  return { by, sort: wanted }
}

/** A page by position: cuts off the one row too many that tells of a next page, and says where that begins. */
export function keysetPage<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  rows: Row[],
  next: (last: Row) => Record<string, string | number>
) {
  const perPage = perPageOf(request.query)

  if (rows.length <= perPage) return rows
  const page = rows.slice(0, perPage)

  reply.header('link', `<${linkTo(request, next(page.at(-1)!))}>; rel="next"`)

  return page
}

export interface Leaves<Row, Position extends unknown[]> {
  /** Of what a position is made. */
  shape: (keyof typeof shapes)[]
  positionOf: (row: Row) => Position
  /** The rows beyond a position, or from the beginning; backwards, those before it, the nearest first. */
  list: (from: Position | undefined, isBackwards: boolean, limit: number) => Promise<Row[]>
}

/** A page by position that leads both ways, `prev` and `next`; its cursors say which way they lead. */
export async function leafPage<Row, Position extends unknown[]>(
  request: FastifyRequest,
  reply: FastifyReply,
  { shape, positionOf, list }: Leaves<Row, Position>
) {
  const { cursor } = request.query as { cursor?: string }
  const [way, ...from] = decodeCursor<[Way, ...Position]>(cursor, 'way', ...shape) ?? ['start']
  const isBackwards = way === 'before'
  const perPage = perPageOf(request.query)
  const rows = await list(way === 'start' ? undefined : (from as unknown as Position), isBackwards, perPage + 1)
  const hasMore = rows.length > perPage
  const page = isBackwards ? rows.slice(0, perPage).reverse() : rows.slice(0, perPage)
  const links = [
    { rel: 'prev', way: 'before', row: page[0], isThere: isBackwards ? hasMore : way === 'after' },
    { rel: 'next', way: 'after', row: page.at(-1), isThere: isBackwards || hasMore }
  ].flatMap(({ rel, way, row, isThere }) =>
    row && isThere ? [`<${linkTo(request, { cursor: encodeCursor([way, ...positionOf(row)]) })}>; rel="${rel}"`] : []
  )

  if (links.length > 0) reply.header('link', links.join(', '))

  return page
}

type Way = 'start' | 'after' | 'before'

/** Where a page ended, as text that survives being put into an address and taken out again. */
export function encodeCursor(position: unknown[]) {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

const shapes = {
  time: (given: unknown) => typeof given === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(given) && !Number.isNaN(Date.parse(given)),
  id: (given: unknown) => Number.isSafeInteger(given),
  text: (given: unknown) => typeof given === 'string' && given.length <= 1000 && !given.includes('\0'),
  way: (given: unknown) => given === 'after' || given === 'before',
  uuid: (given: unknown) => typeof given === 'string' && /^[0-9a-f-]{36}$/.test(given)
}

/** The position a cursor stands for; one that was not made here is the caller's mistake. */
export function decodeCursor<Position extends unknown[]>(cursor: string | undefined, ...shape: (keyof typeof shapes)[]) {
  if (!cursor) return undefined

  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Position
    if (Array.isArray(position) && position.length === shape.length && shape.every((kind, n) => shapes[kind](position[n]))) return position
  } catch {}

  throw new BadParameter('cursor is invalid')
}
