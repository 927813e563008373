import { type Actor, publishAuditEvent, recordAuditEvent } from '#audit/record-audit-event.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { Namespace, Visibility } from '#namespaces/namespace.ts'
import { lockPaths, rethrowTaken } from '#namespaces/paths.ts'
import { moveNamespace } from '#namespaces/rename-namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { checkBranchName } from '../default-branch.ts'
import { change } from '../update-project.ts'
import { containsAny } from './group-store.ts'

export interface GroupChanges {
  name?: string
  path?: string
  description?: string | null
  visibility?: Visibility
  defaultBranch?: string | null
  /** Null for none. */
  avatar?: string | null
}

export async function updateGroup(em: EntityManager, group: Namespace, changes: GroupChanges, by: Actor) {
  checkBranchName(changes.defaultBranch)
  const update = em.transactional(async em => {
    if (changes.path !== undefined) await lockPaths(em)
    await lockForChange(em, group)
    const { path = group.path, visibility = group.visibility as Visibility } = changes

    if (path !== group.path) await rename(em, group, path, by)
    if (visibility !== group.visibility) await changeVisibility(em, group, visibility, by)
    if (changes.name !== undefined) group.name = changes.name
    if (changes.description !== undefined) group.description = changes.description ?? ''
    if (changes.avatar !== undefined) group.avatar = changes.avatar
    if (changes.defaultBranch !== undefined) group.defaultBranch = changes.defaultBranch || null
  })

  await update.catch(rethrowTaken)
}

async function rename(em: EntityManager, group: Namespace, path: string, by: Actor) {
  const from = group.fullPath

  await moveNamespace(em, group, { path })
  await publishAuditEvent(em, by, { name: 'group_renamed', entity: group.audited(), details: change('path', from, group.fullPath) })
}

async function changeVisibility(em: EntityManager, group: Namespace, visibility: Visibility, by: Actor) {
  const details = change('visibility', group.visibility, visibility)

  await checkVisibility(em, group, visibility)
  group.visibility = visibility
  recordAuditEvent(em, by, { name: 'group_visibility_changed', entity: group.audited(), details })
}

/** A group is at most as visible as its parent, and at least as visible as everything in it. */
async function checkVisibility(em: EntityManager, group: Namespace, visibility: Visibility) {
  await em.populate(group, ['parent'])
  group.parent?.checkVisibility(visibility)
  if (visibility === 'public') return

  const wider: Visibility[] = visibility === 'private' ? ['internal', 'public'] : ['public']

  if (await containsAny(em, group.id, wider)) {
    throw new ValidationFailed({
      visibility_level: [`${visibility} is not allowed since this group contains projects or subgroups with a higher visibility.`]
    })
  }
}
