import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import type { ProjectRow } from '#projects/present-project.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'

/** Lists over all projects of a user take this many of them, the most active ones. */
const maxProjects = 200

export type MyProjects = Awaited<ReturnType<typeof myProjects>>

/** A user's projects: those whose errors and alerts they see, in which they are at least a developer, or those with another role. */
export async function myProjects(em: EntityManager, user: Viewer, minRole: number = Role.developer) {
  const { list } = await visibleProjects(em, user, { minRole, isActive: true, orderBy: 'last_activity_at' })
  const found = await list(maxProjects, 0)
  const projects = minRole < Role.developer ? found : found.filter(({ monitoring_access_level: level }) => level !== 'disabled')

  return { projects, ids: projects.map(({ id }) => id), nameOf: nameIn(projects) }
}

/** The projects whose incidents a user sees: `findIssueProject` for all of them. */
export async function incidentProjectIds(em: EntityManager, user: Viewer) {
  const { projects } = await myProjects(em, user, Role.reporter)

  return projects.filter(({ issues_access_level: level }) => level !== 'disabled').map(({ id }) => id)
}

function nameIn(projects: ProjectRow[]) {
  const names = new Map(projects.map(({ id, name }) => [id, name]))

  return (id: number) => names.get(id) ?? ''
}
