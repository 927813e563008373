import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Milestone } from '#projects/milestones/milestone.ts'
import { isMilestoneOf } from '#projects/milestones/milestone-store.ts'
import type { Issue } from './issue.ts'
import { recordEvent } from './issue-event.ts'
import { recordNote } from './issue-note.ts'

/** Sets the milestone of an issue; null removes it. Runs in the caller's transaction, which has locked the issue. */
export async function changeMilestone(em: EntityManager, issue: Issue, milestoneId: number | null, authorId: number | null) {
  const from = issue.milestoneId ?? null

  if (from === milestoneId) return
  if (milestoneId !== null && !(await isMilestoneOf(em, issue.projectId, milestoneId))) {
    throw new ValidationFailed({ milestone_id: ['is not a milestone of the project'] })
  }
  issue.milestoneId = milestoneId
  if (from !== null) recordEvent(em, issue, authorId, { kind: 'milestone', action: 'remove', milestoneId: from })
  if (milestoneId !== null) recordEvent(em, issue, authorId, { kind: 'milestone', action: 'add', milestoneId })
  recordNote(em, issue, authorId, 'milestone', await describe(em, milestoneId))
}

async function describe(em: EntityManager, id: number | null) {
  const milestone = id === null ? null : await em.findOneOrFail(Milestone, id)

  return milestone ? `changed milestone to %"${milestone.title}"` : 'removed milestone'
}
