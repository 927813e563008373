import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import Type from 'typebox'
import { findUser, resolveUser } from '#identity/users/find-user.ts'
import type { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { findGroup } from './find-project.ts'
import { descendantIds } from './groups/descendants.ts'
import { ById, GroupProjectsQuery, ProjectShape, ProjectsQuery } from './schemas.ts'
import { sendProjects } from './send-projects.ts'

const response = { 200: Type.Array(ProjectShape) }

/** Lists of projects: all, of a group, and of a user, who has or starred them. */
export const projectListRoutes: FastifyPluginAsyncTypebox = async app => {
  const guard = { config: { role: 'anyone' as const } }

  app.get(
    '/projects',
    {
      ...guard,
      schema: { summary: 'List projects, newest first', querystring: ProjectsQuery, response }
    },
    async (request, reply) => sendProjects(request, reply, request.em, request.query)
  )

  app.get(
    '/groups/:id/projects',
    {
      ...guard,
      schema: { summary: "List a group's projects", params: ById, querystring: GroupProjectsQuery, response }
    },
    async (request, reply) => {
      const group = await findGroup(request.em, request.viewer, request.params.id)
      const namespaces = request.query.include_subgroups ? await descendantIds(request.em, group) : [group.id]

      const sharedWith = request.query.with_shared === false ? undefined : group.id

      return sendProjects(request, reply, request.em, request.query, { namespaces, sharedWith })
    }
  )

  app.get(
    '/groups/:id/projects/shared',
    {
      ...guard,
      schema: { summary: 'List the projects that are shared with a group', params: ById, querystring: ProjectsQuery, response }
    },
    async (request, reply) => {
      const group = await findGroup(request.em, request.viewer, request.params.id)

      return sendProjects(request, reply, request.em, request.query, { sharedWith: group.id })
    }
  )

  app.get(
    '/users/:user_id/projects',
    {
      ...guard,
      schema: {
        summary: "List a user's personal projects",
        params: Type.Object({ user_id: Type.String() }),
        querystring: ProjectsQuery,
        response
      }
    },
    async (request, reply) => {
      const namespace = await findPersonalNamespace(request.em, request.params.user_id)

      return sendProjects(request, reply, request.em, request.query, { namespaces: [namespace.id] })
    }
  )

  app.get(
    '/users/:user_id/contributed_projects',
    {
      ...guard,
      schema: {
        summary: 'List the projects where a user was active in the past year',
        params: Type.Object({ user_id: Type.String() }),
        querystring: ProjectsQuery,
        response
      }
    },
    async (request, reply) => {
      const user = await resolveUser(request.em, request.params.user_id)

      return sendProjects(request, reply, request.em, request.query, {
        ids: showsProfile(user, request.viewer) ? await contributedTo(request.em, user.id) : []
      })
    }
  )

  app.get(
    '/users/:user_id/starred_projects',
    {
      ...guard,
      schema: {
        summary: 'List the projects that a user starred',
        params: Type.Object({ user_id: Type.String() }),
        querystring: ProjectsQuery,
        response
      }
    },
    async (request, reply) => {
      const user = await resolveUser(request.em, request.params.user_id)

      return sendProjects(
        request,
        reply,
        request.em,
        request.query,
        showsProfile(user, request.viewer) ? { starredBy: user.id } : { ids: [] }
      )
    }
  )
}

async function contributedTo(em: EntityManager, userId: number) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('activity_events')
    .select('project_id')
    .distinct()
    .where('author_id', '=', userId)
    .where('created_at', '>', sql<Date>`now() - interval '1 year'`)
    .execute()

  return rows.map(row => row.project_id)
}

/** What users star and where they are active is part of their profile. */
function showsProfile({ id, isPrivateProfile }: User, viewer: Viewer | undefined) {
  return !isPrivateProfile || viewer?.id === id || viewer?.isAdmin === true
}

async function findPersonalNamespace(em: EntityManager, idOrUsername: string) {
  const owner = await findUser(em, idOrUsername)
  const namespace = owner && (await em.findOne(Namespace, { kind: 'user', ownerId: owner.id }))

  if (!namespace) throw new NotFound('User')

  return namespace
}
