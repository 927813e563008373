import { ErrorGroup } from '#errors/groups/error-group.ts'
import { presentError } from '#errors/groups/present-group.ts'
import { findGroupsByText } from '#errors/search/found-group-store.ts'
import { descendantIds } from '#projects/groups/descendants.ts'
import { Role } from '#projects/members/member.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'
import type { Search } from './search.ts'

const maxProjects = 200
const maxErrors = 100

/** The latest errors with the text, in projects where the caller is a developer. */
export async function searchErrors(search: Search) {
  const { em, text } = search
  const found = await findGroupsByText(em, await projectIdsOf(search), text, maxErrors)
  const groups = await em.find(ErrorGroup, { id: { $in: found.map(({ id }) => id) } })
  const byId = new Map(groups.map(group => [group.id, presentError(group)]))

  return found.flatMap(({ id }) => byId.get(id) ?? [])
}

async function projectIdsOf({ em, viewer, group, project, includesArchived }: Search) {
  const namespaces = group && (await descendantIds(em, group))
  const isActive = project || includesArchived ? undefined : true
  const filter = { ids: project && [project.id], namespaces, isActive, minRole: viewer.isAdmin ? undefined : Role.developer }
  const projects = await (await visibleProjects(em, viewer, { ...filter, orderBy: 'last_activity_at' })).list(maxProjects, 0)

  return projects.filter(({ monitoring_access_level: level }) => level !== 'disabled').map(({ id }) => id)
}
