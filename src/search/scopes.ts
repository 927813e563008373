import { ErrorGroup } from '#errors/groups/error-group.ts'
import { presentError } from '#errors/groups/present-group.ts'
import { findGroupsByText } from '#errors/search/found-group-store.ts'
import { listUsers, selectUsers } from '#identity/users/list-users.ts'
import { listAllIssues } from '#issues/lists/list-issues.ts'
import { isInGroup, isSeen } from '#issues/lists/seen-issues.ts'
import { presentIssues } from '#issues/present-issue.ts'
import { mapRows, rowsInMemory } from '#platform/database/list.ts'
import type { Extra } from '#platform/extra.ts'
import { descendantIds } from '#projects/groups/descendants.ts'
import { listMembers } from '#projects/members/list-members.ts'
import { Role } from '#projects/members/member.ts'
import { findMemberSource } from '#projects/members/member-source.ts'
import { presentPerson, presentSimpleProject } from '#projects/present-project.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'
import type { Search, SearchScope } from './search.ts'

/** How to search, by scope. */
const ofCore: Record<string, SearchScope> = {
  projects: searchProjects,
  issues: searchIssues,
  users: searchUsers,
  errors: async search => rowsInMemory(await searchErrors(search))
}

export function scopesOf(extras: Extra[]): Record<string, SearchScope> {
  return Object.assign({}, ofCore, ...extras.map(({ searchScopes }) => searchScopes))
}

async function searchProjects({ em, viewer, text, group, sort, includesArchived, baseUrl }: Search) {
  const namespaces = group && (await descendantIds(em, group))
  const isActive = includesArchived ? undefined : true

  return mapRows(await visibleProjects(em, viewer, { search: text, namespaces, isActive, sort }), rows =>
    rows.map(project => presentSimpleProject(project, baseUrl))
  )
}

async function searchIssues({ em, viewer, text, group, project, state, isConfidential, sort, includesArchived, baseUrl }: Search) {
  const isVisible = await isSeen(em, viewer, !project && !includesArchived)
  const within = group ? [isVisible, isInGroup(group.id)] : [isVisible]
  const issues = listAllIssues(em, { search: text, projectId: project?.id, within, state, isConfidential }, { sort })

  return mapRows(issues, rows => presentIssues(em, rows, baseUrl))
}

/** Within a group or a project, searches only its members. */
async function searchUsers({ em, viewer, text, group, project, baseUrl }: Search) {
  const place = project ?? group

  if (place) {
    const source = await findMemberSource(em, viewer, project ? 'projects' : 'groups', String(place.id))

    return mapRows(listMembers(em, source, { isInherited: true, search: text }), rows =>
      rows.map(({ user }) => presentPerson(user, baseUrl))
    )
  }
  const users = selectUsers(em, viewer, { search: text, humans: true })

  return mapRows(listUsers(em, users), rows => rows.map(user => presentPerson(user, baseUrl)))
}

const maxProjects = 200
const maxErrors = 100

/** The latest errors with the text, in projects where the caller is a developer. */
async function searchErrors(search: Search) {
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
