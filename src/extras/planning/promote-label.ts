import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { checkLabelCount } from '#projects/labels/change-labels.ts'
import { Label } from '#projects/labels/label.ts'
import { mergeIntoGroupLabel } from '#projects/labels/label-store.ts'
import { Role } from '#projects/members/member.ts'
import { findMemberSource, lockSource, type MemberSource } from '#projects/members/member-source.ts'

/** Makes a label of the project's group out of a project's label and those of the same name in the group's other projects. */
export async function promoteLabel(em: EntityManager, source: MemberSource, viewer: Viewer, label: Label) {
  const group = await findGroupOf(em, source, viewer, 'label')

  return em.transactional(async em => {
    await lockSource(em, group)
    await lockForChange(em, label)
    const { name, color, description } = label
    const promoted = (await em.findOne(Label, { name, group: group.id })) ?? em.create(Label, { group: group.id, name, color, description })

    await checkLabelCount(em, group, 1)
    await em.flush()
    await mergeIntoGroupLabel(em, { id: promoted.id, name, groupId: group.id })

    return { group, promoted }
  })
}

/** The group that a project is directly in, where the viewer is a reporter. */
export async function findGroupOf(em: EntityManager, { type, ownerId, ancestorIds }: MemberSource, viewer: Viewer, what: string) {
  if (type !== 'Project' || ownerId) throw new CannotPromote(what)
  const group = await findMemberSource(em, viewer, 'groups', String(ancestorIds.at(-1)))

  if (group.role < Role.reporter) throw new Forbidden()

  return group
}

class CannotPromote extends Rejected {
  override code = 'cannot_promote'
  override isSentence = true

  constructor(what: string) {
    super(`Failed to promote project ${what} to group ${what}`)
  }
}
