import { type Actor, record } from '../audit/record-audit-event.ts'
import type { Namespace, Visibility } from '../namespaces/namespace.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import { Role } from './members/member.ts'
import { moveProject } from './move-project.ts'
import type { Project, ProjectChanges } from './project.ts'

export async function updateProject(em: EntityManager, project: Project, given: ProjectChanges & { path?: string }, by: Actor) {
  const { path, ...changes } = given
  const { namespace, fullPath: from, visibility: before } = project

  await em.transactional(async em => {
    if (path !== undefined && path !== project.path) {
      await moveProject(em, project, namespace as Namespace, path)
      record(em, by, { name: 'project_renamed', entity: project.audited(), details: change('path', from, project.fullPath) })
    }
    if (changes.visibility && changes.visibility !== before) {
      const details = change('visibility', before as Visibility, changes.visibility)

      namespace.checkVisibility(changes.visibility)
      record(em, by, { name: 'project_visibility_changed', entity: project.audited(), details })
    }
    project.change(changes)
  })
}

/** Takes it into another namespace. Its own members stay. */
export async function transferProject(em: EntityManager, project: Project, to: Namespace, by: Actor) {
  const from = project.fullPath

  to.checkVisibility(project.visibility)
  await em.transactional(async em => {
    await moveProject(em, project, to)
    if (to.ownerId) await takeIn(em, project, to.ownerId)
    record(em, by, { name: 'project_transferred', entity: project.audited(), details: change('namespace', from, project.fullPath) })
  })
}

/** In one's own space, one is an owner by membership, too. */
async function takeIn(em: EntityManager, project: Project, userId: number) {
  await query(
    em,
    `INSERT INTO members (project_id, user_id, access_level) VALUES ($1, $2, ${Role.owner})
     ON CONFLICT (project_id, user_id) DO UPDATE SET access_level = EXCLUDED.access_level, expires_at = NULL`,
    [project.id, userId]
  )
}

/** An archived project is kept, and no longer worked on. Doing it twice changes nothing more. */
export async function archiveProject(em: EntityManager, project: Project, isArchived: boolean, by: Actor) {
  if (project.isArchived === isArchived) return
  project.isArchived = isArchived
  record(em, by, { name: isArchived ? 'project_archived' : 'project_unarchived', entity: project.audited() })
  await em.flush()
}

export function change(what: string, from: string, to: string) {
  return { change: what, from, to }
}
