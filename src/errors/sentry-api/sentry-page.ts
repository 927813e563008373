import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { linkTo } from '#api/pagination/offset.ts'
import { cursorAt, readPage } from '#api/pagination/page.ts'
import type { Keyset, Position } from '#platform/database/list.ts'

/** Query schema of lists with Sentry's pagination. */
export const sentryPaging = {
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1 }))
}

const maxPerPage = 100

/** One page. Its `Link` header always has a next cursor; `results` tells whether it leads to further rows. */
export async function sentryPage<Row, P extends Position>(request: FastifyRequest, reply: FastifyReply, list: Keyset<Row, P>) {
  const { cursor, limit = maxPerPage, per_page: perPage = limit } = request.query as { cursor?: string; limit?: number; per_page?: number }
  const { rows, hasMore } = await readPage(list, cursor, Math.min(perPage, maxPerPage))
  const next = rows.length > 0 ? cursorAt(list, rows.at(-1)!) : (cursor ?? '')

  reply.header('link', `<${linkTo(request, { cursor: next })}>; rel="next"; results="${hasMore}"; cursor="${next}"`)

  return rows
}
