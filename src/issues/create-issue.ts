import type { Severity } from '../alerts/severity.ts'
import { NotFound } from '../http/problems/problems.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { lockCounters, moveCounters } from '../projects/counters.ts'
import { assign } from './assign-issue.ts'
import { Issue, type IssueType } from './issue.ts'
import { tellOfIssue } from './record-issue-activity.ts'
import { noteDown } from './record-note.ts'

export interface NewIssue {
  projectId: number
  issueType: IssueType
  title: string
  description?: string | null
  severity?: Severity
  /** Nobody, when it is made from an alert. */
  authorId: number | null
  assigneeIds?: number[]
}

/** Part of its caller's transaction, which holds the project's counter from here to its end. */
export async function createIssue(em: EntityManager, { assigneeIds = [], ...wanted }: NewIssue) {
  const issue = em.create(Issue, { ...wanted, iid: await nextIid(em, wanted.projectId) })

  await em.flush()
  const assigned = await assign(em, 'issue', issue, assigneeIds)

  if (assigned) noteDown(em, issue, wanted.authorId, 'assignees', assigned)
  await em.flush()
  await tellOfIssue(em, issue, 'created', wanted.authorId)

  return issue
}

async function nextIid(em: EntityManager, projectId: number) {
  const last = (await lockCounters(em, 'issues', [projectId])).get(projectId)

  // It went away just now.
  if (last === undefined) throw new NotFound('Project')
  await moveCounters(em, 'issues', [[projectId, last + 1]])

  return last + 1
}
