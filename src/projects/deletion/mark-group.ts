import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { lockPaths } from '#namespaces/paths.ts'
import { moveNamespace } from '#namespaces/rename-namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import {
  checkMarked,
  checkUnmarked,
  DeletionRefused,
  type DeletionWish,
  decideDeletion,
  type Marked,
  readDeletionPeriod
} from './decide-deletion.ts'
import { deleteGroup, projectsWithin } from './delete-project.ts'
import { markedPath, restoredPath } from './mark.ts'
import { markWithin, restoreWithin } from './mark-store.ts'
import { type DeletionDeps, invalidateKeys } from './purge-project.ts'

/** Deletes a group with everything in it, or marks all of it for deletion. Returns which of these it did, and whether a task purges what is left. */
export async function requestGroupDeletion(em: EntityManager, deps: DeletionDeps, group: Namespace, by: Actor, wish: DeletionWish = {}) {
  const decision = decideDeletion('group', group, await readDeletionPeriod(em), wish)

  if (decision === 'mark') {
    await markGroup(em, deps.config, group, by, new Date())

    return 'marked'
  }
  const check = decision === 'delete' ? undefined : (marked: Marked) => checkMarked('group', marked)
  const purge = await deleteGroup(em, deps, group, by, check)

  return purge ? 'purging' : 'deleted'
}

async function markGroup(em: EntityManager, config: Config, group: Namespace, by: Actor, at: Date) {
  await em.transactional(async em => {
    await lockPaths(em)
    await lockForChange(em, group)
    checkUnmarked('group', group)
    const entity = group.audited()

    group.markedForDeletionAt = at
    await moveNamespace(em, group, { path: markedPath(group) })
    await markWithin(em, group.id, at)
    const projectIds = await projectsWithin(em, group)

    await invalidateKeys(em, config, projectIds)
    recordAuditEvent(em, by, { name: 'group_marked_for_deletion', entity, details: { projects: projectIds.length } })
  })
}

/** Takes off the marks that everything in the group got with it. What was marked before stays marked. */
export async function restoreGroup(em: EntityManager, config: Config, group: Namespace, by: Actor) {
  await em.transactional(async em => {
    await lockPaths(em)
    await lockForChange(em, group)
    checkMarked('group', group)
    if (group.markedWithId) throw new DeletionRefused('group', 'is in a group that is marked for deletion')
    group.markedForDeletionAt = null
    await moveNamespace(em, group, { path: await restoredPath(em, group) })
    await restoreWithin(em, group.id)
    await invalidateKeys(em, config, await projectsWithin(em, group))
    recordAuditEvent(em, by, { name: 'group_restored', entity: group.audited() })
  })
}
