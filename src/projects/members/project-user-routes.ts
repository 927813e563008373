import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { presentPerson } from '../present-project.ts'
import { ById, Person } from '../schemas.ts'
import { listMembers } from './list-members.ts'
import { findMemberSource } from './member-source.ts'

/** The users with a role in a project, without their roles. */
export const projectUserRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.get(
    '/projects/:id/users',
    {
      config: { role: 'anyone' },
      schema: {
        summary: 'List the users of a project: its members, including inherited ones',
        params: ById,
        querystring: Type.Object({
          ...paging,
          search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name or username.' })),
          skip_users: Type.Optional(Type.Array(Type.Integer(), { maxItems: 100 }))
        }),
        response: { 200: Type.Array(Person) }
      }
    },
    async (request, reply) => {
      const source = await findMemberSource(request.em, request.viewer, 'projects', request.params.id)
      const { search, skip_users: skip } = request.query
      const rows = await offsetPage(request, reply, listMembers(request.em, source, { isInherited: true, search, skip }))

      return rows.map(({ user }) => presentPerson(user, config.baseUrl))
    }
  )
}
