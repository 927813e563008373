import { hasWebhooks } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Issue, IssueState } from './issue.ts'
import { type IssueRow, loadIssues } from './load-issues.ts'

/** An issue as webhooks see it, before it changes; undefined without webhooks. */
export async function snapshot(em: EntityManager, issueId: number) {
  if (!(await hasWebhooks(em))) return undefined

  return valuesOf((await loadIssues(em, [issueId]))[0]!)
}

export type Snapshot = Awaited<ReturnType<typeof snapshot>>

/** The `changes` of a webhook: values before and after. */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>) {
  const changed = Object.keys(before).filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

  return Object.fromEntries(changed.map(name => [name, { previous: before[name], current: after[name] }]))
}

/** GitLab's numbers of the states. */
export const stateIds: Record<IssueState, number> = { opened: 1, closed: 2 }

/** The `changes` of a new issue: each value was null before. */
export function openingChanges({ id, iid, projectId, authorId, title, description = null, state, createdAt }: Issue) {
  const values = {
    id,
    iid,
    project_id: projectId,
    author_id: authorId,
    title,
    description,
    state_id: stateIds[state as IssueState],
    created_at: createdAt
  }

  return changesBetween(Object.fromEntries(Object.keys(values).map(name => [name, null])), values)
}

/** The values that closing and reopening change. */
export function stateOf({ state, closedAt }: Issue) {
  return { state_id: stateIds[state as IssueState], closed_at: closedAt ?? null }
}

function valuesOf({
  title,
  description,
  severity,
  labels,
  assignees,
  milestone,
  due_date: dueDate,
  is_confidential: confidential
}: IssueRow): Record<string, unknown> {
  return {
    title,
    description: description ?? null,
    severity,
    due_date: dueDate,
    confidential,
    milestone_id: milestone?.id ?? null,
    labels: labels.map(({ name, color }) => ({ title: name, color })),
    assignees: assignees.map(({ id, name, username }) => ({ id, name, username }))
  }
}
