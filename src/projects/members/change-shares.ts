import { type SqlBool, sql } from 'kysely'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Conflict, NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { findGroup } from '../find-project.ts'
import { authorizeChange } from './change-members.ts'
import { GroupShare } from './group-share.ts'
import { roleName } from './member.ts'
import { lockSource, type MemberSource, ownedBy } from './member-source.ts'
import { isActive } from './roles.ts'

const maxShares = 100

interface NewShare {
  groupId: number
  accessLevel: number
  /** The last day of the access; null for none. */
  expiresAt: string | null
}

/**
 * Shares a project or group with a group that the viewer sees. Maintainers share projects and owners groups, with at most their
 * own role. An expired share is replaced.
 */
export async function shareWithGroup(em: EntityManager, source: MemberSource, viewer: Viewer, input: NewShare, by: Actor) {
  const { groupId, accessLevel, expiresAt } = input

  authorizeChange(source, accessLevel)
  const withGroup = await findGroup(em, viewer, String(groupId))

  checkTarget(source, withGroup)

  return em.transactional(async em => {
    await lockSource(em, source)
    await deleteExpired(em, source, withGroup)
    if ((await em.count(GroupShare, ownedBy(source))) >= maxShares) {
      throw new ValidationFailed({ base: [`can be shared with at most ${maxShares} groups`] })
    }
    if ((await em.count(GroupShare, { ...ownedBy(source), withGroup })) > 0) throw new AlreadyShared()
    const share = em.create(GroupShare, { ...ownedBy(source), withGroup, accessLevel, expiresAt })

    await em.flush()
    recordShare(em, by, 'group_share_added', source, withGroup, { add: 'group_access', as: roleName(accessLevel) })

    return share
  })
}

export async function unshareWithGroup(em: EntityManager, source: MemberSource, groupId: number, by: Actor) {
  authorizeChange(source)
  await em.transactional(async em => {
    const share = await em.findOne(GroupShare, { ...ownedBy(source), withGroup: groupId }, { populate: ['withGroup'] })

    if (!share) throw new NotFound('Group Link')
    await lockForChange(em, share)
    authorizeChange(source, share.accessLevel)
    recordShare(em, by, 'group_share_removed', source, share.withGroup as Namespace, {
      remove: 'group_access',
      from: roleName(share.accessLevel)
    })
    em.remove(share)
  })
}

function checkTarget({ type, id, ancestorIds }: MemberSource, withGroup: Namespace) {
  if (type === 'Group' && id === withGroup.id) throw new CannotShare('A group cannot be shared with itself')
  if (type === 'Project' && ancestorIds.includes(withGroup.id)) {
    throw new CannotShare('Project cannot be shared with the group it is in or one of its ancestors.')
  }
}

class CannotShare extends Conflict {
  override code = 'cannot_share'
  override isSentence = true
}

class AlreadyShared extends CannotShare {
  override code = 'already_shared'

  constructor() {
    super('The group already has access')
  }
}

async function deleteExpired(em: EntityManager, source: MemberSource, withGroup: Namespace) {
  const column = source.type === 'Project' ? 'project_id' : 'group_id'

  await em
    .getKysely<Tables>()
    .deleteFrom('group_shares as s')
    .where(`s.${column}`, '=', source.id)
    .where('s.with_group_id', '=', withGroup.id)
    .where(sql<SqlBool>`NOT ${isActive('s')}`)
    .execute()
}

function recordShare(
  em: EntityManager,
  by: Actor,
  name: string,
  source: MemberSource,
  { id, fullPath }: Namespace,
  details: Record<string, unknown>
) {
  recordAuditEvent(em, by, { name, entity: source, target: { type: 'Group', id, details: fullPath }, details })
}
