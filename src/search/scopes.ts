import { listUsers, selectUsers } from '#identity/users/list-users.ts'
import { listAllIssues } from '#issues/lists/list-issues.ts'
import { isInGroup, isSeen } from '#issues/lists/seen-issues.ts'
import { presentIssues } from '#issues/present-issue.ts'
import { mapRows, rowsInMemory } from '#platform/database/list.ts'
import type { Extra } from '#platform/extra.ts'
import { descendantIds } from '#projects/groups/descendants.ts'
import { listMembers } from '#projects/members/list-members.ts'
import { findMemberSource } from '#projects/members/member-source.ts'
import { presentPerson, presentSimpleProject } from '#projects/present-project.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'
import type { Search, SearchScope } from './search.ts'
import { searchErrors } from './search-errors.ts'

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
