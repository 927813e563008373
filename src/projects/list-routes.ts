import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { isKeyset, keysetOrder, keysetPage } from '../http/pagination/keyset.ts'
import { offsetPage, perPageOf } from '../http/pagination/offset.ts'
import { readTime } from '../http/parameters/time.ts'
import { NotFound } from '../http/problems/problems.ts'
import { viewerOf } from '../identity/identify.ts'
import { findUser } from '../identity/users/find-user.ts'
import type { Viewer } from '../identity/viewer.ts'
import { Namespace } from '../namespaces/namespace.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import { findGroup } from './find-project.ts'
import { Role } from './members/member.ts'
import { presentProject, presentSimply } from './present-project.ts'
import { ById, GroupProjectsQuery, ProjectShape, ProjectsQuery } from './schemas.ts'
import { visibleProjects } from './visibility/list-projects.ts'
import type { ProjectFilter } from './visibility/project-filter.ts'

/** By position nobody is told how many there are: where more are found, the nearest soon make a page. */
const mostGathered = 2000
const response = { 200: Type.Array(ProjectShape) }

/** Projects: all that one may see, those of a group, those of a person. */
export const projectListRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    '/projects',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: { summary: 'Projects, newest first', querystring: ProjectsQuery, response }
    },
    async (request, reply) => sendProjects(request, reply, fork(), request.query)
  )

  app.get(
    '/groups/:id/projects',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: { summary: "A group's projects", params: ById, querystring: GroupProjectsQuery, response }
    },
    async (request, reply) => {
      const em = fork()
      const group = await findGroup(em, viewerOf(request), request.params.id)
      const namespaces = request.query.include_subgroups ? await allWithin(em, group) : [group.id]

      return sendProjects(request, reply, em, request.query, namespaces)
    }
  )

  app.get(
    '/users/:user_id/projects',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: {
        summary: 'Projects in a person’s own space',
        params: Type.Object({ user_id: Type.String() }),
        querystring: ProjectsQuery,
        response
      }
    },
    async (request, reply) => {
      const em = fork()
      const space = await findOwnSpace(em, request.params.user_id)

      return sendProjects(request, reply, em, request.query, [space.id])
    }
  )
}

async function sendProjects(
  request: FastifyRequest,
  reply: FastifyReply,
  em: EntityManager,
  given: Static<typeof ProjectsQuery>,
  namespaces?: number[]
) {
  const viewer = viewerOf(request)
  const { baseUrl } = request.server.platform.config
  const filter = { ...readFilter(given, viewer), namespaces }
  const projects = isKeyset(request)
    ? await byPosition(request, reply, em, filter)
    : await offsetPage(request, reply, { ...(await visibleProjects(em, viewer, filter)), type: 'Project' })

  return projects.map(project => (given.simple ? presentSimply(project, baseUrl) : presentProject(project, { baseUrl, viewer })))
}

async function byPosition(request: FastifyRequest, reply: FastifyReply, em: EntityManager, filter: ProjectFilter) {
  const { sort } = keysetOrder(request, { id: ['asc', 'desc'] })
  const projects = await visibleProjects(em, viewerOf(request), { ...filter, orderBy: 'id', sort })
  const limit = perPageOf(request.query) + 1
  const rows = projects.gather ? (await projects.gather(limit, 0, mostGathered)).rows : await projects.list(limit, 0)

  return keysetPage(request, reply, rows, last => ({ [sort === 'asc' ? 'id_after' : 'id_before']: last.id }))
}

function readFilter(given: Static<typeof ProjectsQuery>, viewer: Viewer | undefined): ProjectFilter {
  return {
    least: given.owned ? Role.owner : (given.min_access_level ?? (given.membership ? Role.guest : undefined)),
    search: given.search,
    visibility: given.visibility,
    archived: given.archived,
    topics: given.topic?.split(',').map(topic => topic.trim()),
    repositoryStorage: viewer?.isAdmin ? given.repository_storage : undefined,
    idAfter: given.id_after,
    idBefore: given.id_before,
    lastActivityAfter: readTime('last_activity_after', given.last_activity_after),
    lastActivityBefore: readTime('last_activity_before', given.last_activity_before),
    orderBy: given.order_by,
    sort: given.sort
  }
}

async function allWithin(em: EntityManager, group: Namespace) {
  const rows = await query<{ id: string }>(em, 'SELECT id FROM namespaces WHERE lineage @> ARRAY[$1::bigint]', [group.id])

  return rows.map(({ id }) => Number(id))
}

async function findOwnSpace(em: EntityManager, idOrUsername: string) {
  const owner = await findUser(em, idOrUsername)
  const space = owner && (await em.findOne(Namespace, { kind: 'user', ownerId: owner.id }))

  if (!space) throw new NotFound('User')

  return space
}
