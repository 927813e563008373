import type { IssueState } from '#issues/issue.ts'
import { stateIds } from '#issues/issue-changes.ts'
import { type IssueRow, loadIssues } from '#issues/load-issues.ts'
import type { WebhookEvent } from '#outbox/outbox-entry.ts'
import type { Notice } from '../events.ts'
import {
  type Context,
  findActor,
  findProjectOf,
  presentActor,
  presentHookProject,
  presentRepository,
  writeHookTime
} from './users-and-projects.ts'

/** An issue was opened, closed, reopened or changed. */
export async function issueNotices(context: Context, { projectId, actorId, data }: WebhookEvent): Promise<Notice[]> {
  const project = await findProjectOf(context, projectId)
  const [issue] = await loadIssues(context.em, [Number(data.issueId)])

  if (!project || !issue) return []
  const { baseUrl } = context
  const payload = {
    object_kind: 'issue',
    event_type: issue.is_confidential ? 'confidential_issue' : 'issue',
    user: presentActor(await findActor(context, actorId), baseUrl),
    project: presentHookProject(project, baseUrl),
    object_attributes: { ...presentHookIssue(issue, context), action: data.action },
    labels: labelsOf(issue),
    changes: presentChanges(data.changes as Changes),
    repository: presentRepository(project, baseUrl),
    ...(issue.assignees.length > 0 && { assignees: assigneesOf(issue, baseUrl) })
  }

  return [
    issue.is_confidential
      ? { flag: 'confidential_issues_events', audience: 'resource', name: 'Confidential Issue Hook', payload }
      : { flag: 'issues_events', audience: 'resource', name: 'Issue Hook', payload }
  ]
}

type Changes = Record<string, Record<'previous' | 'current', unknown>> | undefined

function presentChanges(changes: Changes = {}) {
  const write = (name: string, value: unknown) => (name.endsWith('_at') && value ? writeHookTime(String(value)) : value)

  return Object.fromEntries(
    Object.entries(changes).map(([name, { previous, current }]) => [
      name,
      { previous: write(name, previous), current: write(name, current) }
    ])
  )
}

export function presentHookIssue(issue: IssueRow, { baseUrl }: Context) {
  const assigneeIds = issue.assignees.map(({ id }) => id)

  return {
    id: issue.id,
    iid: issue.iid,
    project_id: issue.project_id,
    title: issue.title,
    description: issue.description ?? null,
    author_id: issue.author?.id ?? null,
    assignee_id: assigneeIds[0] ?? null,
    assignee_ids: assigneeIds,
    milestone_id: issue.milestone?.id ?? null,
    state: issue.state,
    state_id: stateIds[issue.state as IssueState],
    severity: issue.severity,
    type: issue.issue_type === 'incident' ? 'Incident' : 'Issue',
    confidential: issue.is_confidential,
    due_date: issue.due_date,
    created_at: writeHookTime(issue.created_at),
    updated_at: writeHookTime(issue.updated_at),
    closed_at: issue.closed_at && writeHookTime(issue.closed_at),
    labels: labelsOf(issue),
    url: `${baseUrl}/projects/${issue.project_id}/${issue.issue_type}s/${issue.iid}`
  }
}

function labelsOf({ labels }: IssueRow) {
  return labels.map(({ name, color }) => ({ title: name, color }))
}

function assigneesOf({ assignees }: IssueRow, baseUrl: string) {
  return assignees.map(person => presentActor(person as Parameters<typeof presentActor>[0], baseUrl))
}
