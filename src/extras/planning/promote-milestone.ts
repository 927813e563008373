import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockSource, type MemberSource } from '#projects/members/member-source.ts'
import { Milestone } from '#projects/milestones/milestone.ts'
import { mergeIntoGroupMilestone } from '#projects/milestones/milestone-store.ts'
import { nextIid } from './change-milestones.ts'
import { findGroupOf } from './promote-label.ts'

/** Makes a milestone of the project's group out of a project's milestone and those of the same title in the group's other projects. */
export async function promoteMilestone(em: EntityManager, source: MemberSource, viewer: Viewer, milestone: Milestone) {
  const group = await findGroupOf(em, source, viewer, 'milestone')

  return em.transactional(async em => {
    await lockSource(em, group)
    await lockForChange(em, milestone)
    const { title, description, state, startDate, dueDate } = milestone
    const promoted =
      (await em.findOne(Milestone, { title, group: group.id })) ??
      em.create(Milestone, { group: group.id, iid: await nextIid(em, group), title, description, state, startDate, dueDate })

    await em.flush()
    await mergeIntoGroupMilestone(em, { id: promoted.id, title, groupId: group.id })

    return { group, promoted }
  })
}
