import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { listPage } from '#api/pagination/keyset.ts'
import { readDeletionFilters } from '#projects/deletion/deletion-schemas.ts'
import { findGroup, findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { ById } from '../schemas.ts'
import { GroupShape, GroupsQuery, InvitedGroupsQuery, ProjectGroupsQuery, presentGroup } from './group-schemas.ts'
import { groupsOf, invitedGroupsOf } from './group-store.ts'
import { type GroupFilter, visibleGroups } from './list-groups.ts'

const response = { 200: Type.Array(GroupShape) }

/** Lists of groups: all, subgroups, and descendants. */
export const groupListRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/groups',
    {
      config: { role: 'anyone' },
      schema: { summary: 'List groups by name', querystring: GroupsQuery, response }
    },
    async (request, reply) => sendGroups(request, reply, readFilter(request.query))
  )

  app.get(
    '/projects/:id/groups',
    {
      config: { role: 'guest' },
      schema: { summary: 'List the groups that a project is in', params: ById, querystring: ProjectGroupsQuery, response }
    },
    async (request, reply) => {
      const { id } = await findProject(request.em, request.user, request.params.id)
      const { search, skip_groups: skip, with_shared: isWithShared = false, shared_min_access_level: minRole = Role.guest } = request.query
      const ids = await groupsOf(request.em, id, isWithShared, minRole)

      return sendGroups(request, reply, { ids, search, skip, allAvailable: true })
    }
  )

  app.get(
    '/projects/:id/invited_groups',
    {
      config: { role: 'guest' },
      schema: { summary: 'List the groups that a project is shared with', params: ById, querystring: InvitedGroupsQuery, response }
    },
    async (request, reply) => {
      const { id } = await findProject(request.em, request.user, request.params.id)
      const { search, min_access_level: minRole, relation } = request.query

      return sendGroups(request, reply, {
        ids: await invitedGroupsOf(request.em, id, relation),
        search,
        minRole,
        allAvailable: true
      })
    }
  )

  for (const [path, key, summary] of [
    ['subgroups', 'parentId', "List a group's subgroups"],
    ['descendant_groups', 'ancestorId', "List a group's descendants"]
  ] as const) {
    app.get(
      `/groups/:id/${path}`,
      {
        config: { role: 'anyone' },
        schema: { summary, params: ById, querystring: GroupsQuery, response }
      },
      async (request, reply) => {
        const group = await findGroup(request.em, request.viewer, request.params.id)

        return sendGroups(request, reply, { ...readFilter(request.query), allAvailable: true, [key]: group.id })
      }
    )
  }
}

async function sendGroups(request: FastifyRequest, reply: FastifyReply, filter: GroupFilter) {
  const { baseUrl } = request.server.platform.config
  const groups = await listPage(request, reply, {
    type: 'Group',
    orders: { name: ['asc'] },
    open: () => visibleGroups(request.em, request.viewer, filter)
  })

  return groups.map(group => presentGroup(group, baseUrl))
}

function readFilter(query: Static<typeof GroupsQuery>): GroupFilter {
  return {
    minRole: query.owned ? Role.owner : query.min_access_level,
    allAvailable: query.all_available,
    isTopLevel: query.top_level_only,
    skip: query.skip_groups,
    search: query.search,
    visibility: query.visibility,
    ...readDeletionFilters(query),
    orderBy: query.order_by,
    sort: query.sort
  }
}
