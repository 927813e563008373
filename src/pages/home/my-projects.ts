import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { rolesInProjects } from '#projects/members/member-store.ts'
import { type ProjectFilter, visibleProjects } from '#projects/visibility/visible-projects.ts'

/** Lists over all projects of a user take this many of them, the most active ones. */
const maxProjects = 200

/** A user's projects, by default the active ones, and in which of them the user sees or does what. */
export async function myProjects(em: EntityManager, user: Viewer, filter: Pick<ProjectFilter, 'isActive' | 'search'> = { isActive: true }) {
  const { list } = await visibleProjects(em, user, { ...filter, minRole: Role.guest, orderBy: 'last_activity_at' })
  const projects = await list(maxProjects, 0)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const roles = await rolesInProjects(em, user, [...names.keys()])
  const idsWith = (role: number, feature?: 'monitoring_access_level' | 'issues_access_level') =>
    projects.filter(project => roles.get(project.id)! >= role && (!feature || project[feature] !== 'disabled')).map(({ id }) => id)

  return {
    projects,
    /** Whose errors and alerts the user sees. */
    monitored: idsWith(Role.developer, 'monitoring_access_level'),
    /** Whose incidents the user sees: `findIssueProject` for all of them. */
    withIncidents: idsWith(Role.reporter, 'issues_access_level'),
    maintained: idsWith(Role.maintainer),
    nameOf: (id: number) => names.get(id) ?? ''
  }
}

export type MyProjects = Awaited<ReturnType<typeof myProjects>>
