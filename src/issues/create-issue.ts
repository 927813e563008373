import { NotFound } from '#lib/refusals.ts'
import type { Severity } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockCounters, setCounters } from '#projects/counter-store.ts'
import { assign } from '#projects/members/assignees.ts'
import { changeLabels, prepareLabels } from './change-labels.ts'
import { changeMilestone } from './change-milestone.ts'
import { Issue, type IssueType } from './issue.ts'
import { openingChanges } from './issue-changes.ts'
import { recordNote } from './issue-note.ts'
import { recordIssueActivity } from './record-issue-activity.ts'

interface NewIssue {
  projectId: number
  issueType: IssueType
  title: string
  description?: string | null
  severity?: Severity
  /** Null when created from an alert. */
  authorId: number | null
  /** The webhook event that led to it. */
  chain: string | undefined
  assigneeIds?: number[]
  labels?: string[]
  milestoneId?: number | null
  dueDate?: string | null
  isConfidential?: boolean
  timeEstimate?: number
  timeSpent?: number
}

/** Runs in the caller's transaction, and locks the project's issue counter until that ends. */
export async function createIssue(em: EntityManager, { assigneeIds = [], labels = [], milestoneId = null, chain, ...values }: NewIssue) {
  const labelIds = await prepareLabels(em, values.projectId, { labels })
  const issue = em.create(Issue, { ...values, iid: await nextIid(em, values.projectId) })

  await em.flush()
  const assigned = await assign(em, 'issue', issue, assigneeIds)

  if (assigned) recordNote(em, issue, values.authorId, 'assignees', assigned.note)
  await changeLabels(em, issue, { labels }, labelIds, values.authorId)
  await changeMilestone(em, issue, milestoneId, values.authorId)
  await em.flush()
  await recordIssueActivity(em, issue, { action: 'created', authorId: values.authorId, chain, changes: openingChanges(issue) })

  return issue
}

async function nextIid(em: EntityManager, projectId: number) {
  const last = (await lockCounters(em, 'issues', [projectId])).get(projectId)

  // The project was deleted in the meantime.
  if (last === undefined) throw new NotFound('Project')
  await setCounters(em, 'issues', [[projectId, last + 1]])

  return last + 1
}
