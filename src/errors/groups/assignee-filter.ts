import type { Static } from 'typebox'
import type { AssigneeId } from '#projects/members/assignees.ts'

/** A user, or any of these: a user and groups, such as those of the user. */
export type AssigneeFilter = Static<typeof AssigneeId> | { userId?: number; groupIds: number[] }

export function isUser(assignee: AssigneeFilter | undefined): assignee is number {
  return typeof assignee === 'number' && assignee !== 0
}
