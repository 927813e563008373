import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectList } from '#platform/database/list.ts'
import { findProject } from './find-project.ts'
import { personJson } from './members/assignees.ts'
import { presentPerson } from './present-project.ts'
import { renderProject } from './project-store.ts'
import { ById, Person, ProjectShape } from './schemas.ts'

declare module '#platform/database/database.ts' {
  interface Tables {
    project_stars: { project_id: number; user_id: number; created_at: Date }
  }
}

/** Users star projects that they see. */
export const starRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'guest' as const } }

  for (const [verb, change] of [
    ['star', star],
    ['unstar', unstar]
  ] as const) {
    app.post(
      `/projects/:id/${verb}`,
      {
        ...guard,
        config: { ...guard.config, additionalStatuses: [304] },
        schema: { summary: `${verb === 'star' ? 'Star' : 'Unstar'} a project`, params: ById, response: { 201: ProjectShape } }
      },
      async ({ em, user, params }, reply) => {
        const { id } = await findProject(em, user, params.id)

        if (!(await change(em, id, user.id))) return reply.code(304 as never).send(undefined as never)

        return reply.code(201).send(await renderProject(em, id, { baseUrl: config.baseUrl, viewer: user }))
      }
    )
  }

  app.get(
    '/projects/:id/starrers',
    {
      ...guard,
      schema: {
        summary: 'List who starred a project',
        params: ById,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(Type.Object({ starred_since: Type.String(), user: Person })) }
      }
    },
    async (request, reply) => {
      const { id } = await findProject(request.em, request.user, request.params.id)
      const rows = await offsetPage(request, reply, starrersOf(request.em, id))

      return rows.map(({ since, user }) => ({ starred_since: writeTime(since), user: presentPerson(user!, config.baseUrl) }))
    }
  )
}

/** False when the user starred the project already. */
async function star(em: EntityManager, projectId: number, userId: number) {
  const { numInsertedOrUpdatedRows: added } = await em
    .getKysely<Tables>()
    .insertInto('project_stars')
    .values({ project_id: projectId, user_id: userId, created_at: new Date() })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()

  return added! > 0
}

/** False when the user has not starred the project. */
async function unstar(em: EntityManager, projectId: number, userId: number) {
  const { numDeletedRows: removed } = await em
    .getKysely<Tables>()
    .deleteFrom('project_stars')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

  return removed > 0
}

function starrersOf(em: EntityManager, projectId: number) {
  const stars = em
    .getKysely<Tables>()
    .selectFrom('project_stars as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .where('s.project_id', '=', projectId)

  return selectList(em, {
    from: stars,
    load: page => page.select(['s.created_at as since', personJson('u').as('user')]).execute(),
    keys: ['u.id']
  })
}
