import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { decodeCursor, encodeCursor, isKeyset, keysetOrder, keysetPage } from '../../http/pagination/keyset.ts'
import { offsetPage, perPageOf } from '../../http/pagination/offset.ts'
import { viewerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findGroup } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { ById } from '../schemas.ts'
import { GroupShape, GroupsQuery, presentGroup } from './group-schemas.ts'
import { type GroupFilter, visibleGroups } from './list-groups.ts'

const response = { 200: Type.Array(GroupShape) }

/** Groups: all that one may see, and those within another. */
export const groupListRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    '/groups',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: { summary: 'Groups, by name', querystring: GroupsQuery, response }
    },
    async (request, reply) => sendGroups(request, reply, fork(), readFilter(request.query))
  )

  for (const [path, key, summary] of [
    ['subgroups', 'parentId', 'The groups right within a group'],
    ['descendant_groups', 'ancestorId', 'The groups within a group, however deep']
  ] as const) {
    app.get(
      `/groups/:id/${path}`,
      {
        onRequest: app.allowAnyone,
        config: { role: 'anyone' },
        schema: { summary, params: ById, querystring: GroupsQuery, response }
      },
      async (request, reply) => {
        const em = fork()
        const group = await findGroup(em, viewerOf(request), request.params.id)

        return sendGroups(request, reply, em, { ...readFilter(request.query), allAvailable: true, [key]: group.id })
      }
    )
  }
}

async function sendGroups(request: FastifyRequest, reply: FastifyReply, em: EntityManager, filter: GroupFilter) {
  const { baseUrl } = request.server.platform.config
  const groups = isKeyset(request)
    ? await byPosition(request, reply, em, filter)
    : await offsetPage(request, reply, { ...(await visibleGroups(em, viewerOf(request), filter)), type: 'Group' })

  return groups.map(group => presentGroup(group, baseUrl))
}

async function byPosition(request: FastifyRequest, reply: FastifyReply, em: EntityManager, filter: GroupFilter) {
  const { cursor } = request.query as { cursor?: string }
  const { sort } = keysetOrder(request, { name: ['asc'] })
  const after = decodeCursor<[string, number]>(cursor, 'text', 'id')
  const groups = await visibleGroups(em, viewerOf(request), { ...filter, orderBy: 'name', sort, after })
  const rows = await groups.list(perPageOf(request.query) + 1)

  return keysetPage(request, reply, rows, last => ({ cursor: encodeCursor([last.name, last.id]) }))
}

function readFilter(given: Static<typeof GroupsQuery>): GroupFilter {
  return {
    least: given.owned ? Role.owner : given.min_access_level,
    allAvailable: given.all_available,
    isTopLevel: given.top_level_only,
    skip: given.skip_groups,
    search: given.search,
    visibility: given.visibility,
    orderBy: given.order_by,
    sort: given.sort
  }
}
