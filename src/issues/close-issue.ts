import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Issue } from './issue.ts'
import { changesBetween, stateOf } from './issue-changes.ts'
import { recordEvent } from './issue-event.ts'
import { recordNote } from './issue-note.ts'
import { recordIssueActivity } from './record-issue-activity.ts'

interface Closing {
  authorId: number | null
  /** The webhook event that led to it. */
  chain: string | undefined
  at: Date
  /** Body of the system note. */
  note?: string
}

/** Runs in the caller's transaction, which has locked the issue. Returns whether the issue was open. */
export async function closeIssue(em: EntityManager, issue: Issue, { authorId, chain, at, note = 'closed' }: Closing) {
  const before = stateOf(issue)

  if (!issue.close(at, authorId)) return false
  recordNote(em, issue, authorId, 'state', note)
  recordEvent(em, issue, authorId, { kind: 'state', action: 'closed' })
  await em.flush()
  await recordIssueActivity(em, issue, { action: 'closed', authorId, chain, changes: changesBetween(before, stateOf(issue)) })

  return true
}

/** Runs in the caller's transaction, which has locked the issue. The alerts of an incident stay resolved. */
export async function reopenIssue(em: EntityManager, issue: Issue, { user, chain }: Actor) {
  const authorId = user?.id ?? null
  const before = stateOf(issue)

  if (!issue.reopen()) return
  recordNote(em, issue, authorId, 'state', 'reopened')
  recordEvent(em, issue, authorId, { kind: 'state', action: 'reopened' })
  await em.flush()
  await recordIssueActivity(em, issue, { action: 'reopened', authorId, chain, changes: changesBetween(before, stateOf(issue)) })
}
