import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { Nullable } from '#lib/nullable.ts'
import { avatarUrl } from '#platform/avatars.ts'
import { findGroup, findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { ById } from '../schemas.ts'
import { descendantIds } from './descendants.ts'
import { visibleGroups } from './list-groups.ts'

const LocationShape = Type.Object({
  id: Type.Integer(),
  web_url: Type.String(),
  name: Type.String(),
  avatar_url: Nullable(Type.String()),
  full_name: Type.String(),
  full_path: Type.String()
})
const schema = {
  params: ById,
  querystring: Type.Object({ ...paging, search: Type.Optional(Type.String({ maxLength: 255 })) }),
  response: { 200: Type.Array(LocationShape) }
}

/** The groups that owners may transfer a project or a group to: those that they maintain. */
export const transferLocationRoutes: FastifyPluginAsyncTypebox = async app => {
  const guard = { config: { role: 'owner' as const } }

  app.get(
    '/projects/:id/transfer_locations',
    { ...guard, schema: { ...schema, summary: 'List the groups that a project can be transferred to' } },
    async (request, reply) => {
      const { namespace } = await findProject(request.em, request.user, request.params.id, Role.owner)

      return sendLocations(request, reply, [namespace.id])
    }
  )

  app.get(
    '/groups/:id/transfer_locations',
    { ...guard, schema: { ...schema, summary: 'List the groups that a group can be transferred to' } },
    async (request, reply) => {
      const group = await findGroup(request.em, request.user, request.params.id, Role.owner)
      const parent = group.parent ? [group.parent.id] : []

      return sendLocations(request, reply, [...(await descendantIds(request.em, group)), ...parent])
    }
  )
}

async function sendLocations(request: FastifyRequest, reply: FastifyReply, skip: number[]) {
  const { search } = request.query as { search?: string }
  const { baseUrl } = request.server.platform.config
  const groups = await visibleGroups(request.em, request.user, {
    isActive: true,
    minRole: request.user.isAdmin ? undefined : Role.maintainer,
    search,
    skip
  })

  return (await offsetPage(request, reply, groups)).map(group => ({
    id: group.id,
    web_url: `${baseUrl}/groups/${group.fullPath}`,
    name: group.name,
    avatar_url: avatarUrl('group', group, baseUrl),
    full_name: group.fullName,
    full_path: group.fullPath
  }))
}
