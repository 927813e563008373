import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { decodeCursor, encodeCursor } from '#api/pagination/keyset.ts'
import { linkTo } from '#api/pagination/offset.ts'

/** Query schema of lists with Sentry's pagination. */
export const sentryPaging = {
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1 }))
}

export interface SentryList<Row, Position extends unknown[]> {
  /** The types of a position's parts. */
  shape: Parameters<typeof decodeCursor>[1][]
  positionOf: (row: Row) => Position
  list: (page: { after?: Position; limit: number }) => Promise<Row[]>
}

const maxPerPage = 100

/** One page. Its `Link` header always has a next cursor; `results` tells whether it leads to further rows. */
export async function sentryPage<Row, Position extends unknown[]>(
  request: FastifyRequest,
  reply: FastifyReply,
  { shape, positionOf, list }: SentryList<Row, Position>
) {
  const { cursor, per_page: perPage = maxPerPage } = request.query as { cursor?: string; per_page?: number }
  const limit = Math.min(perPage, maxPerPage)
  const rows = await list({ after: decodeCursor<Position>(cursor, ...shape), limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = last ? encodeCursor(positionOf(last)) : (cursor ?? '')

  reply.header('link', `<${linkTo(request, { cursor: next })}>; rel="next"; results="${rows.length > limit}"; cursor="${next}"`)

  return page
}
