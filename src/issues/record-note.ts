import type { EntityManager } from '../platform/database/database.ts'
import type { Issue } from './issue.ts'
import { IssueNote } from './issue-note.ts'

/** What can be done to an issue, as its history names it. */
export type Action = 'state' | 'assignees' | 'title' | 'description' | 'severity'

/** Joins the unit of work at hand: what was done and the line of history that tells it are stored together. */
export function noteDown(em: EntityManager, issue: Issue, authorId: number | null, action: Action, body: string) {
  em.create(IssueNote, { issueId: issue.id, authorId, action, body })
}
