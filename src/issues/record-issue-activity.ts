import { recordActivity } from '#activity/activity-store.ts'
import type { Actor } from '#audit/record-audit-event.ts'
import { addToOutbox, addWebhookEvent } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Issue } from './issue.ts'
import type { IssueNote } from './issue-note.ts'

const hookActions = { created: 'open', closed: 'close', reopened: 'reopen' } as const
const kinds = { created: 'issue.opened', closed: 'issue.closed', reopened: 'issue.reopened' } as const

interface IssueActivity {
  action: keyof typeof kinds
  authorId: number | null
  /** The webhook event that led to it. */
  chain: string | undefined
  /** For webhooks. */
  changes: Record<string, unknown>
}

/** Runs in the caller's transaction. */
export async function recordIssueActivity(
  em: EntityManager,
  { projectId, id, iid, title }: Issue,
  { action, authorId, chain, changes }: IssueActivity
) {
  await addWebhookEvent(em, {
    kind: 'issue',
    projectId,
    actorId: authorId,
    data: { issueId: id, action: hookActions[action], changes },
    chain
  })
  await addToOutbox(em, [{ kind: kinds[action], projectId, subjectId: id, actorId: authorId }])
  await recordActivity(em, { projectId, authorId: authorId ?? undefined, action, target: { type: 'Issue', id, iid, title } })
}

/** Runs in the caller's transaction. */
export async function recordNoteActivity(em: EntityManager, { projectId, id, iid, title }: Issue, note: IssueNote, { chain }: Actor) {
  await addWebhookEvent(em, { kind: 'note', projectId, actorId: note.authorId, data: { noteId: note.id }, chain })
  await addToOutbox(em, [{ kind: 'note.created', projectId, subjectId: id, actorId: note.authorId, data: { noteId: note.id } }])
  await recordActivity(em, {
    projectId,
    authorId: note.authorId ?? undefined,
    action: 'commented',
    target: { type: 'Note', id: note.id, iid, title },
    note: { id: note.id, body: note.body, noteable_type: 'Issue', noteable_id: id, noteable_iid: iid }
  })
}
