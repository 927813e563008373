import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { isKeyset, keysetOrder, sendKeyset } from '#api/pagination/keyset.ts'
import { offsetPage, perPageOf } from '#api/pagination/offset.ts'
import { readNumbered } from '#api/pagination/page.ts'
import { toTime } from '#api/parameters/time.ts'
import { NotFound } from '#api/problems/problems.ts'
import { findUser, resolveUser } from '#identity/users/find-user.ts'
import type { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { readDeletionFilters } from './deletion/mark.ts'
import { findGroup } from './find-project.ts'
import { descendantIds } from './groups/descendants.ts'
import { Role } from './members/member.ts'
import { presentProject, presentSimpleProject } from './present-project.ts'
import { ById, GroupProjectsQuery, ProjectShape, ProjectsQuery } from './schemas.ts'
import { type ProjectFilter, visibleProjects } from './visibility/visible-projects.ts'

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

async function sendProjects(
  request: FastifyRequest,
  reply: FastifyReply,
  em: EntityManager,
  query: Static<typeof ProjectsQuery>,
  place: Pick<ProjectFilter, 'namespaces' | 'sharedWith' | 'starredBy' | 'ids'> = {}
) {
  const { baseUrl } = request.server.platform.config
  const filter = { ...readFilter(query, request.viewer), ...place }
  const projects = isKeyset(request)
    ? await keysetProjects(request, reply, filter)
    : await offsetPage(request, reply, { ...(await visibleProjects(em, request.viewer, filter)), type: 'Project' })

  if (query.simple) return projects.map(project => presentSimpleProject(project, baseUrl))

  return projects.map(project => presentProject(project, { baseUrl, viewer: request.viewer }))
}

/** Its links have the filters `id_after` and `id_before` instead of cursors. */
async function keysetProjects(request: FastifyRequest, reply: FastifyReply, filter: ProjectFilter) {
  const { sort } = keysetOrder(request, { id: ['asc', 'desc'] })
  const projects = await visibleProjects(request.em, request.viewer, { ...filter, orderBy: 'id', sort })
  const page = await readNumbered(projects, 1, perPageOf(request.query))

  return sendKeyset(request, reply, page, last => ({ [sort === 'asc' ? 'id_after' : 'id_before']: last.id }))
}

function readFilter(query: Static<typeof ProjectsQuery>, viewer: Viewer | undefined): ProjectFilter {
  return {
    minRole: query.owned ? Role.owner : (query.min_access_level ?? (query.membership ? Role.guest : undefined)),
    search: query.search,
    starredBy: query.starred ? (viewer?.id ?? 0) : undefined,
    visibility: query.visibility,
    archived: query.archived,
    ...readDeletionFilters(query),
    topics: query.topic?.split(',').map(topic => topic.trim()),
    repositoryStorage: viewer?.isAdmin ? query.repository_storage : undefined,
    idAfter: query.id_after,
    idBefore: query.id_before,
    lastActivityAfter: toTime(query.last_activity_after),
    lastActivityBefore: toTime(query.last_activity_before),
    orderBy: query.order_by,
    sort: query.sort
  }
}

async function findPersonalNamespace(em: EntityManager, idOrUsername: string) {
  const owner = await findUser(em, idOrUsername)
  const namespace = owner && (await em.findOne(Namespace, { kind: 'user', ownerId: owner.id }))

  if (!namespace) throw new NotFound('User')

  return namespace
}
