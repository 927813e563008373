import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, Rejected } from '#lib/refusals.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { lockPaths, PathTaken } from '#namespaces/paths.ts'
import { moveNamespace } from '#namespaces/rename-namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { projectsWithin } from '../deletion/delete-project.ts'
import { findGroup } from '../find-project.ts'
import { makeOwner } from '../members/make-owner.ts'
import { Role } from '../members/member.ts'
import { hasOtherOwner } from '../members/owner-store.ts'
import { isExternalPerson } from '../members/roles.ts'
import { adoptPlanning } from '../milestones/adopt-planning.ts'
import { change } from '../update-project.ts'

/** Transfers a group with everything in it into another group, which the viewer maintains, or makes it a top-level group. */
export async function transferGroup(em: EntityManager, viewer: Viewer, group: Namespace, parentId: number | undefined, by: Actor) {
  if (isExternalPerson(viewer)) throw new Forbidden()
  const transfer = em.transactional(async em => {
    await lockPaths(em)
    await lockForChange(em, group)
    const parent = parentId ? await findGroup(em, viewer, String(parentId), Role.maintainer) : null
    const from = group.fullPath

    checkTarget(viewer, group, parent)
    parent?.checkWritable()
    parent?.checkVisibility(group.visibility)
    await moveNamespace(em, group, { parent })
    await ensureOwner(em, viewer, group)
    await adoptPlanning(em, await projectsWithin(em, group))
    recordAuditEvent(em, by, { name: 'group_transferred', entity: group.audited(), details: change('namespace', from, group.fullPath) })
  })

  await transfer.catch(error => {
    throw error instanceof PathTaken
      ? new TransferFailed('The parent group already has a subgroup or a project with the same path.')
      : error
  })
}

function checkTarget(viewer: Viewer, group: Namespace, parent: Namespace | null) {
  if (!parent) {
    if (!group.parent) throw new TransferFailed('Group is already a root group.')
    if (!viewer.canCreateGroup && !viewer.isAdmin) throw new Forbidden()
    return
  }
  if (parent.id === group.parent?.id) throw new TransferFailed('Group is already associated to the parent group.')
  if (parent.lineage.includes(group.id)) throw new TransferFailed('Cannot transfer group to one of its subgroup.')
}

class TransferFailed extends Rejected {
  override code = 'transfer_failed'
  override isSentence = true

  constructor(reason: string) {
    super(`Transfer failed: ${reason}`)
  }
}

/** The owners of the former parent no longer own the group. */
async function ensureOwner(em: EntityManager, viewer: Viewer, group: Namespace) {
  if (await hasOtherOwner(em, group.id, 0)) return
  if (viewer.isBot()) throw new TransferFailed('The group would have no owner.')
  await makeOwner(em, { group_id: group.id }, viewer.id)
}
