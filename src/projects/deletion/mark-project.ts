import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { lockPaths } from '#namespaces/paths.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { replacePath } from '../move-project.ts'
import type { Project } from '../project.ts'
import {
  checkMarked,
  checkUnmarked,
  DeletionRefused,
  type DeletionWish,
  decideDeletion,
  type Marked,
  readDeletionPeriod
} from './decide-deletion.ts'
import { deleteProject } from './delete-project.ts'
import { markedPath, restoredPath } from './mark.ts'
import { type DeletionDeps, invalidateKeys } from './purge-project.ts'

/** Deletes a project, or marks it for deletion. Returns which of these it did, and whether a task purges what is left. */
export async function requestProjectDeletion(em: EntityManager, deps: DeletionDeps, project: Project, by: Actor, wish: DeletionWish = {}) {
  const decision = decideDeletion('project', project, await readDeletionPeriod(em), wish)

  if (decision === 'mark') {
    await markProject(em, deps.config, project, by, new Date())

    return 'marked'
  }
  const check = decision === 'delete' ? undefined : (marked: Marked) => checkMarked('project', marked)
  const purge = await deleteProject(em, deps, project, by, check)

  return purge ? 'purging' : 'deleted'
}

/** The project is read-only from now on, and its path free for another one. */
async function markProject(em: EntityManager, config: Config, project: Project, by: Actor, at: Date) {
  await em.transactional(async em => {
    await lockProject(em, project)
    checkUnmarked('project', project)
    const entity = project.audited()

    project.markedForDeletionAt = at
    await replacePath(em, project, project.namespace as Namespace, markedPath(project))
    await invalidateKeys(em, config, [project.id])
    recordAuditEvent(em, by, { name: 'project_marked_for_deletion', entity })
  })
}

/** Takes the mark off. The project has its former path again, or a similar one if that is in use. */
export async function restoreProject(em: EntityManager, config: Config, project: Project, by: Actor) {
  await em.transactional(async em => {
    await lockProject(em, project)
    checkMarked('project', project)
    if (project.namespace.markedForDeletionAt) throw new DeletionRefused('project', 'is in a group that is marked for deletion')
    project.markedForDeletionAt = null
    await replacePath(em, project, project.namespace as Namespace, await restoredPath(em, project))
    await invalidateKeys(em, config, [project.id])
    recordAuditEvent(em, by, { name: 'project_restored', entity: project.audited() })
  })
}

async function lockProject(em: EntityManager, project: Project) {
  await lockPaths(em)
  await lockForChange(em, project)
  await em.populate(project, ['namespace'], { refresh: true })
}
