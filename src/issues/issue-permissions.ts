import type { EntityManager } from '../platform/database/database.ts'
import type { Issue } from './issue.ts'
import { IssueNote } from './issue-note.ts'
import { tellOfNote } from './record-issue-activity.ts'

/** Keeps what somebody said about an issue. */
export function sayOf(em: EntityManager, issue: Issue, authorId: number, body: string) {
  return em.transactional(async em => {
    const note = em.create(IssueNote, { issueId: issue.id, authorId, body })

    await em.flush()
    await tellOfNote(em, issue, note)

    return note
  })
}
