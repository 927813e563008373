import { LockMode } from '@mikro-orm/core'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { findGroup } from '#errors/groups/find-group.ts'
import type { Issue } from '#issues/issue.ts'
import { recordNote } from '#issues/issue-note.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'

/** Links an error of the incident's project. An error belongs to one incident at most. */
export function linkError(em: EntityManager, issue: Issue, errorId: number, authorId: number) {
  return changeError(em, issue, errorId, (em, group) => {
    if (group.issueId === issue.id) return
    if (group.issueId) throw new ValidationFailed({ error: ['The error belongs to another incident'] })
    group.issueId = issue.id
    recordNote(em, issue, authorId, 'errors', `linked error #${group.id}`)
  })
}

export function unlinkError(em: EntityManager, issue: Issue, errorId: number, authorId: number) {
  return changeError(em, issue, errorId, (em, group) => {
    if (group.issueId !== issue.id) return
    group.issueId = null
    recordNote(em, issue, authorId, 'errors', `unlinked error #${group.id}`)
  })
}

function changeError(em: EntityManager, issue: Issue, id: number, change: (em: EntityManager, group: ErrorGroup) => void) {
  return em.transactional(async em => {
    await lockRow(em, 'issues', issue.id)
    const group = await findGroup(em, issue.projectId, id)

    if (!group) throw new ValidationFailed({ error: ['There is no such error in this project'] })
    await em.lock(group, LockMode.PESSIMISTIC_WRITE)
    await em.refresh(group)
    change(em, group)
  })
}
