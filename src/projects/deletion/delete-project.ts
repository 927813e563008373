import { type Actor, publishAuditEvent } from '#audit/record-audit-event.ts'
import { isNamespaceWithin, type Namespace } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { enqueueTask } from '#tasks/start-task.ts'
import type { Project } from '../project.ts'
import type { Marked } from './decide-deletion.ts'
import { type DeletionDeps, invalidateKeys, startPurge } from './purge-project.ts'

/** What throws unless the locked project or group may be deleted. */
type Check = (marked: Marked) => void

/** Returns the task that purges what is left of it. */
export async function deleteProject(em: EntityManager, deps: DeletionDeps, project: Project, by: Actor, check?: Check) {
  const purge = await em.transactional(async em => {
    await lockForChange(em, project)
    check?.(project)
    await publishAuditEvent(em, by, { name: 'project_deleted', entity: project.audited() })
    await invalidateKeys(em, deps.config, [project.id])
    em.remove(project)

    return startPurge(em, project.name, [project.id], by)
  })

  if (purge) await enqueueTask(em, deps, purge)

  return purge
}

/** Deletes a group with its subgroups and projects. Returns the task that purges what is left of these, if any. */
export async function deleteGroup(em: EntityManager, deps: DeletionDeps, group: Namespace, by: Actor, check?: Check) {
  const purge = await em.transactional(async em => {
    await lockForChange(em, group)
    check?.(group)
    const projectIds = await projectsWithin(em, group)

    await publishAuditEvent(em, by, { name: 'group_deleted', entity: group.audited(), details: { projects: projectIds.length } })
    await invalidateKeys(em, deps.config, projectIds)
    em.remove(group)

    return startPurge(em, group.name, projectIds, by)
  })

  if (purge) await enqueueTask(em, deps, purge)

  return purge
}

export async function projectsWithin(em: EntityManager, group: Namespace) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('projects')
    .select('id')
    .where('namespace_id', 'in', eb => eb.selectFrom('namespaces').select('id').where(isNamespaceWithin(group.id)))
    .execute()

  return rows.map(({ id }) => id)
}
