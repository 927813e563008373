import type { Actor } from '#audit/record-audit-event.ts'
import { MissingParameters } from '#lib/refusals.ts'
import type { Severity } from '#lib/severity.ts'
import { addToOutbox, addWebhookEvent } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { type AssigneeChange, type Assignment, assign } from '#projects/members/assignees.ts'
import { changeLabels, type LabelChange, prepareLabels } from './change-labels.ts'
import { changeMilestone } from './change-milestone.ts'
import { closeIssue, reopenIssue } from './close-issue.ts'
import type { Issue } from './issue.ts'
import { changesBetween, type Snapshot, snapshot } from './issue-changes.ts'
import { recordNote } from './issue-note.ts'

export interface IssueChanges {
  title?: string
  description?: string | null
  severity?: Severity
  assigneeIds?: AssigneeChange
  labels?: LabelChange
  /** Null for none. */
  milestoneId?: number | null
  /** Null for none. */
  dueDate?: string | null
  isConfidential?: boolean
  stateEvent?: 'close' | 'reopen'
}

const changeable = ['title', 'description', 'severity', 'assignee_ids', 'labels', 'milestone_id', 'due_date', 'confidential', 'state_event']

/** Runs in the caller's transaction. Records a system note for each change; returns whether it closed the issue. */
export async function changeIssue(em: EntityManager, issue: Issue, changes: IssueChanges, by: Actor, at: Date) {
  const { assigneeIds, labels, milestoneId, stateEvent, isConfidential, ...values } = changes
  const authorId = by.user?.id ?? null

  if (Object.values(changes).every(value => value === undefined)) {
    throw new MissingParameters(...changeable)
  }
  const labelIds = labels && (await prepareLabels(em, issue.projectId, labels))

  await lockForChange(em, issue)
  const before = await snapshot(em, issue.id)

  setValues(em, issue, values, authorId)
  setConfidential(em, issue, isConfidential, authorId)
  const assigned = assigneeIds && (await assign(em, 'issue', issue, assigneeIds))

  if (assigned) await recordAssignment(em, issue, assigned, authorId)
  if (labels) await changeLabels(em, issue, labels, labelIds!, authorId)
  if (milestoneId !== undefined) await changeMilestone(em, issue, milestoneId, authorId)
  await em.flush()
  if (before) await notifyWebhooks(em, issue, before, by)
  if (stateEvent === 'reopen') await reopenIssue(em, issue, by)

  return stateEvent === 'close' && closeIssue(em, issue, { authorId, chain: by.chain, at })
}

async function recordAssignment(em: EntityManager, issue: Issue, { note, added, removed }: Assignment, authorId: number | null) {
  recordNote(em, issue, authorId, 'assignees', note)
  await addToOutbox(em, [
    {
      kind: 'issue.reassigned',
      projectId: issue.projectId,
      subjectId: issue.id,
      actorId: authorId,
      data: { addedAssigneeIds: added, removedAssigneeIds: removed }
    }
  ])
}

async function notifyWebhooks(em: EntityManager, { id, projectId }: Issue, before: NonNullable<Snapshot>, { user, chain }: Actor) {
  const changes = changesBetween(before, (await snapshot(em, id)) ?? before)

  if (Object.keys(changes).length === 0) return
  await addWebhookEvent(em, {
    kind: 'issue',
    projectId,
    actorId: user?.id ?? null,
    data: { issueId: id, action: 'update', changes },
    chain
  })
}

type Values = Pick<IssueChanges, 'title' | 'description' | 'severity' | 'dueDate'>

function setValues(em: EntityManager, issue: Issue, { title, description, severity, dueDate }: Values, authorId: number | null) {
  if (title !== undefined && title !== issue.title) {
    recordNote(em, issue, authorId, 'title', `changed the title from **${issue.title}** to **${title}**`)
    issue.title = title
  }
  if (description !== undefined && description !== (issue.description ?? null)) {
    recordNote(em, issue, authorId, 'description', 'changed the description')
    issue.description = description
  }
  if (severity !== undefined && severity !== issue.severity) {
    recordNote(em, issue, authorId, 'severity', `changed the severity to **${severity}**`)
    issue.severity = severity
  }
  if (dueDate !== undefined && dueDate !== (issue.dueDate ?? null)) {
    recordNote(em, issue, authorId, 'due_date', dueDate ? `changed due date to ${dueDate}` : 'removed due date')
    issue.dueDate = dueDate
  }
}

function setConfidential(em: EntityManager, issue: Issue, isConfidential: boolean | undefined, authorId: number | null) {
  if (isConfidential === undefined || isConfidential === issue.isConfidential) return
  const note = isConfidential ? 'made the issue confidential' : 'made the issue visible to everyone'

  recordNote(em, issue, authorId, 'confidentiality', note)
  issue.isConfidential = isConfidential
}
