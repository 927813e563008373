import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { isKeyset, keysetOrder, sendKeyset } from '#api/pagination/keyset.ts'
import { offsetPage, perPageOf } from '#api/pagination/offset.ts'
import { readNumbered } from '#api/pagination/page.ts'
import type { Viewer } from '#identity/viewer.ts'
import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { readDeletionFilters } from './deletion/deletion-schemas.ts'
import { Role } from './members/member.ts'
import { presentProject, presentSimpleProject } from './present-project.ts'
import type { ProjectsQuery } from './schemas.ts'
import { type ProjectFilter, visibleProjects } from './visibility/visible-projects.ts'

/** The page of a list of projects that the query asks for, of those in a place. */
export async function sendProjects(
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
