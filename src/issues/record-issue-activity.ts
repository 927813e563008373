import type { Action } from '../activity/actions.ts'
import { recordActivity } from '../activity/activity-store.ts'
import type { EntityManager } from '../platform/database/database.ts'
import type { Issue } from './issue.ts'
import type { IssueNote } from './issue-note.ts'

/** Runs in the caller's transaction. */
export function recordIssueActivity(em: EntityManager, { projectId, id, iid, title }: Issue, action: Action, authorId: number | null) {
  return recordActivity(em, { projectId, authorId: authorId ?? undefined, action, target: { type: 'Issue', id, iid, title } })
}

/** Runs in the caller's transaction. */
export function recordNoteActivity(em: EntityManager, { projectId, id, iid, title }: Issue, note: IssueNote) {
  return recordActivity(em, {
    projectId,
    authorId: note.authorId ?? undefined,
    action: 'commented',
    target: { type: 'Note', id: note.id, iid, title },
    note: { id: note.id, body: note.body, noteable_type: 'Issue', noteable_id: id, noteable_iid: iid }
  })
}
