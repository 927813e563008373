import { resolveAlertsOf } from '../incidents/resolve-alerts.ts'
import type { EntityManager } from '../platform/database/database.ts'
import type { Issue } from './issue.ts'
import { tellOfIssue } from './record-issue-activity.ts'
import { noteDown } from './record-note.ts'

interface Doing {
  authorId: number | null
  at: Date
  /** How it is told in the history. */
  why?: string
}

/** Part of its caller's transaction, which has the issue's row locked. An incident takes its alerts along. */
export async function closeIssue(em: EntityManager, issue: Issue, { authorId, at, why = 'closed' }: Doing) {
  if (!issue.close(at, authorId)) return
  noteDown(em, issue, authorId, 'state', why)
  await resolveAlertsOf(em, issue, authorId, at)
  await em.flush()
  await tellOfIssue(em, issue, 'closed', authorId)
}

/** Its alerts stay as they are: whether it goes on is for the monitoring tool to say. */
export async function reopenIssue(em: EntityManager, issue: Issue, { authorId }: Doing) {
  if (!issue.reopen()) return
  noteDown(em, issue, authorId, 'state', 'reopened')
  await em.flush()
  await tellOfIssue(em, issue, 'reopened', authorId)
}
