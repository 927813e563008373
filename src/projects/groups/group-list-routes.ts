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

/** Lists of groups: all, subgroups, and descendants. */
export const groupListRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    '/groups',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: { summary: 'List groups by name', querystring: GroupsQuery, response }
    },
    async (request, reply) => sendGroups(request, reply, fork(), readFilter(request.query))
  )

  for (const [path, key, summary] of [
    ['subgroups', 'parentId', "List a group's subgroups"],
    ['descendant_groups', 'ancestorId', "List a group's descendants"]
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
    ? await keysetGroups(request, reply, em, filter)
    : await offsetPage(request, reply, { ...(await visibleGroups(em, viewerOf(request), filter)), type: 'Group' })

  return groups.map(group => presentGroup(group, baseUrl))
}

async function keysetGroups(request: FastifyRequest, reply: FastifyReply, em: EntityManager, filter: GroupFilter) {
  const { cursor } = request.query as { cursor?: string }
  const { sort } = keysetOrder(request, { name: ['asc'] })
  const after = decodeCursor<[string, number]>(cursor, 'text', 'id')
  const groups = await visibleGroups(em, viewerOf(request), { ...filter, orderBy: 'name', sort, after })
  const rows = await groups.list(perPageOf(request.query) + 1)

  return keysetPage(request, reply, rows, last => ({ cursor: encodeCursor([last.name, last.id]) }))
}

function readFilter(query: Static<typeof GroupsQuery>): GroupFilter {
  return {
    minRole: query.owned ? Role.owner : query.min_access_level,
    allAvailable: query.all_available,
    isTopLevel: query.top_level_only,
    skip: query.skip_groups,
    search: query.search,
    visibility: query.visibility,
    orderBy: query.order_by,
    sort: query.sort
  }
}
