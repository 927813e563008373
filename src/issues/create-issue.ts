import type { Severity } from '../alerts/severity.ts'
import { type EntityManager, query } from '../platform/database.ts'
import { tellOfIssue } from './activity.ts'
import { assign } from './assign.ts'
import { Issue, type IssueType } from './issue.ts'
import { noteDown } from './note-down.ts'

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
  const [row] = await query<{ last: string }>(
    em,
    `INSERT INTO project_counters AS c (project_id, kind, last) VALUES ($1, 'issues', 1)
     ON CONFLICT (project_id, kind) DO UPDATE SET last = c.last + 1 RETURNING last`,
    [projectId]
  )

  return Number(row!.last)
}
