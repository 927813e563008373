import type { Severity } from '../alerts/severity.ts'
import { NoneGiven } from '../http/problems/problems.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { assign } from './assign-issue.ts'
import { closeIssue, reopenIssue } from './close-issue.ts'
import type { Issue } from './issue.ts'
import { noteDown } from './record-note.ts'

export interface Changes {
  title?: string
  description?: string | null
  severity?: Severity
  assigneeIds?: number[]
  stateEvent?: 'close' | 'reopen'
}

/** Each change is a line of the issue's history. */
export async function changeIssue(em: EntityManager, issue: Issue, changes: Changes, authorId: number, at: Date) {
  const { assigneeIds, stateEvent, ...values } = changes

  if (Object.values(changes).every(value => value === undefined)) {
    throw new NoneGiven('title', 'description', 'severity', 'assignee_ids', 'state_event')
  }
  await em.transactional(async em => {
    await em.refresh(issue, { lockMode: 4 })
    rewrite(em, issue, values, authorId)
    const assigned = assigneeIds && (await assign(em, 'issue', issue, assigneeIds))

    if (assigned) noteDown(em, issue, authorId, 'assignees', assigned)
    await em.flush()
    if (stateEvent === 'close') await closeIssue(em, issue, { authorId, at })
    if (stateEvent === 'reopen') await reopenIssue(em, issue, { authorId, at })
  })
}

function rewrite(
  em: EntityManager,
  issue: Issue,
  { title, description, severity }: Omit<Changes, 'assigneeIds' | 'stateEvent'>,
  authorId: number
) {
  if (title !== undefined && title !== issue.title) {
    noteDown(em, issue, authorId, 'title', `changed the title from **${issue.title}** to **${title}**`)
    issue.title = title
  }
  if (description !== undefined && description !== (issue.description ?? null)) {
    noteDown(em, issue, authorId, 'description', 'changed the description')
    issue.description = description
  }
  if (severity !== undefined && severity !== issue.severity) {
    noteDown(em, issue, authorId, 'severity', `changed the severity to **${severity}**`)
    issue.severity = severity
  }
}
