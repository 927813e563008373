import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { getUser } from '#identity/users/find-user.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import { isActiveMembership } from './roles.ts'

/** GitLab's name for a group is `Namespace`. */
const SourceType = Type.Enum(['Project', 'Namespace'])
const Membership = Type.Object({
  source_id: Type.Integer(),
  source_name: Type.String(),
  source_type: SourceType,
  access_level: Type.Integer()
})

export const membershipRoutes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/users/:id/memberships',
    {
      config: { role: 'admin' },
      schema: {
        summary: "List a user's memberships of projects and groups",
        params: Type.Object({ id: Type.Integer() }),
        querystring: Type.Object({ ...paging, type: Type.Optional(SourceType) }),
        response: { 200: Type.Array(Membership) }
      }
    },
    async (request, reply) => {
      const { id } = await getUser(request.em, request.params.id)

      return offsetPage(request, reply, membershipsOf(request.em, id, request.query.type))
    }
  )
}

function membershipsOf(em: EntityManager, userId: number, type: Static<typeof SourceType> | undefined) {
  const memberships = em
    .getKysely<Tables>()
    .selectFrom('members as m')
    .leftJoin('projects as p', 'p.id', 'm.project_id')
    .leftJoin('namespaces as g', 'g.id', 'm.group_id')
    .where(
      allOf(
        sql`m.user_id = ${userId}`,
        isActiveMembership,
        type === 'Project' && sql`m.project_id IS NOT NULL`,
        type === 'Namespace' && sql`m.group_id IS NOT NULL`
      )
    )
  const row = sql<Static<typeof Membership>>`jsonb_build_object('source_id', coalesce(p.id, g.id), 'source_name', coalesce(p.name, g.name),
    'source_type', CASE WHEN p.id IS NULL THEN 'Namespace' ELSE 'Project' END, 'access_level', m.access_level)`

  return selectList(em, { from: memberships, load: page => selectAs(page, row), keys: ['m.id'] })
}
