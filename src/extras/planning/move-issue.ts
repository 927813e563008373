import type { Actor } from '#audit/record-audit-event.ts'
import { closeIssue } from '#issues/close-issue.ts'
import { createIssue } from '#issues/create-issue.ts'
import type { Issue } from '#issues/issue.ts'
import { recordNote } from '#issues/issue-note.ts'
import { hasAlerts } from '#issues/load-issues.ts'
import { Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { isMember } from '#projects/members/member-store.ts'
import type { Project } from '#projects/project.ts'
import { copyNotes, copySubscriptions, findCounterparts } from './copy-store.ts'

/**
 * Closes an issue and opens it in another project, with comments and subscriptions. Labels, milestone and assignees
 * come along where the other project has them. The notes do not name the other project: its name may be a secret.
 */
export function moveIssue(em: EntityManager, issue: Issue, target: Project, by: Actor & { at: Date }) {
  return em.transactional(async em => {
    await lockForChange(em, issue)
    if (issue.projectId === target.id) throw new CannotMove('Cannot move issue to project it originates from!')
    if (issue.movedToId) throw new CannotMove('Cannot move issue: it was moved already')
    if (await hasAlerts(em, issue.id)) throw new CannotMove('Cannot move issue: its alerts belong to its project')
    const authorId = by.user?.id ?? null
    const moved = await copyIssue(em, issue, target, { authorId: issue.authorId ?? null, chain: by.chain })

    await copyNotes(em, issue.id, moved.id)
    await copySubscriptions(em, issue.id, moved.id)
    recordNote(em, moved, authorId, 'move', 'moved from another project')
    recordNote(em, issue, authorId, 'move', 'moved to another project')
    issue.movedToId = moved.id
    await em.flush()
    await closeIssue(em, issue, { authorId, chain: by.chain, at: by.at })

    return moved
  })
}

/** The copy has the caller as its author. */
export function cloneIssue(em: EntityManager, issue: Issue, target: Project, { by, withNotes }: { by: Actor; withNotes: boolean }) {
  return em.transactional(async em => {
    const authorId = by.user?.id ?? null
    const copy = await copyIssue(em, issue, target, { authorId, chain: by.chain })

    if (withNotes) await copyNotes(em, issue.id, copy.id)
    const isSame = issue.projectId === target.id

    recordNote(em, copy, authorId, 'move', isSame ? `cloned from #${issue.iid}` : 'cloned from another project')
    recordNote(em, issue, authorId, 'move', isSame ? `cloned to #${copy.iid}` : 'cloned to another project')

    return copy
  })
}

interface Copier {
  authorId: number | null
  chain: string | undefined
}

async function copyIssue(em: EntityManager, issue: Issue, { id: projectId }: Project, copier: Copier) {
  const { issueType, title, description, severity, dueDate, isConfidential, timeEstimate, timeSpent } = issue
  const { assigneeIds, ...planning } = await findCounterparts(em, issue.id, projectId)
  const members: number[] = []

  for (const id of assigneeIds) if (await isMember(em, projectId, id)) members.push(id)
  const values = { issueType, title, description, severity, dueDate, isConfidential, timeEstimate, timeSpent }

  return createIssue(em, { ...values, ...planning, ...copier, projectId, assigneeIds: members })
}

/** In GitLab's words. */
class CannotMove extends Rejected {
  override code = 'cannot_move_issue'
  override isSentence = true
}
