import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import type { ProjectRow } from '../../projects/present-project.ts'
import { visibleProjects } from '../../projects/visibility/visible-projects.ts'

/** Lists over all projects of a user take this many of them, the most active ones. */
const maxProjects = 200

export type MyProjects = Awaited<ReturnType<typeof myProjects>>

/** The projects whose errors and alerts a user sees: those in which they are at least a developer. */
export async function myProjects(em: EntityManager, user: Viewer) {
  const { list } = await visibleProjects(em, user, { minRole: Role.developer, archived: false, orderBy: 'last_activity_at' })
  const projects = (await list(maxProjects, 0)).filter(({ monitoring_access_level: level }) => level !== 'disabled')

  return { projects, ids: projects.map(({ id }) => id), nameOf: nameIn(projects) }
}

function nameIn(projects: ProjectRow[]) {
  const names = new Map(projects.map(({ id, name }) => [id, name]))

  return (id: number) => names.get(id) ?? ''
}
