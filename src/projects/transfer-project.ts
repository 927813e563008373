import { type Actor, publishAuditEvent } from '#audit/record-audit-event.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { lockPaths } from '#namespaces/paths.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { checkProjectsLimit } from './create-project.ts'
import { findGroup } from './find-project.ts'
import { makeOwner } from './members/make-owner.ts'
import { Role } from './members/member.ts'
import { roleInGroup } from './members/member-store.ts'
import { adoptPlanning } from './milestones/adopt-planning.ts'
import { moveProject } from './move-project.ts'
import type { Project } from './project.ts'
import { change } from './update-project.ts'

/** Transfers a project to a namespace, given by id or path. Its direct members stay. */
export async function transferProject(em: EntityManager, viewer: Viewer, project: Project, idOrPath: string, by: Actor) {
  await em.transactional(async em => {
    await lockPaths(em)
    await lockForChange(em, project)
    const target = await findTarget(em, viewer, idOrPath)
    const from = project.fullPath

    target.checkWritable()
    target.checkVisibility(project.visibility)
    if (target.id !== project.namespace.id) await checkProjectsLimit(em, target)
    await moveProject(em, project, target)
    // The owner of a personal namespace is a member of the projects in it.
    if (target.ownerId) await makeOwner(em, { project_id: project.id }, target.ownerId)
    await adoptPlanning(em, [project.id])
    await publishAuditEvent(em, by, {
      name: 'project_transferred',
      entity: project.audited(),
      details: change('namespace', from, project.fullPath)
    })
  })
}

/** The viewer's personal namespace, or a group that they maintain. */
async function findTarget(em: EntityManager, viewer: Viewer, idOrPath: string) {
  const target = await em.findOne(Namespace, /^\d{1,15}$/.test(idOrPath) ? { id: Number(idOrPath) } : { fullPath: idOrPath })

  if (!target) throw new NotFound('Namespace')
  if (viewer.isAdmin || target.ownerId === viewer.id) return target
  if (target.kind === 'user') throw new NotFound('Namespace')
  await findGroup(em, viewer, String(target.id)).catch(() => {
    throw new NotFound('Namespace')
  })
  if ((await roleInGroup(em, viewer, target.id)) < Role.maintainer) throw new Forbidden()

  return target
}
