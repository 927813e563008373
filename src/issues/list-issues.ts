import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Severity } from '../lib/severity.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { allOf, containing } from '../platform/database/filter.ts'
import { type Column, listByIid } from '../projects/iid-list.ts'
import { type AssigneeId, isAssigned } from '../projects/members/assignees.ts'
import { type DueFilter, isDue } from './due-dates/due-filter.ts'
import type { IssueState, IssueType } from './issue.ts'
import { type IssueRow, loadIssues } from './load-issues.ts'

/** `iid` is in the order of creation. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', kind: 'id', read: issue => issue.iid },
  updated_at: { sql: 'updated_at', type: 'timestamptz', kind: 'time', read: issue => issue.updated_at },
  title: { sql: 'title', type: 'text', kind: 'text', read: issue => issue.title },
  /** Issues without a due date are last, as in GitLab. */
  due_date: {
    sql: 'due_date',
    type: 'date',
    kind: 'time',
    nulls: { asc: '9999-12-31', desc: '0001-01-01' },
    read: issue => issue.due_date
  }
} satisfies Record<string, Column<IssueRow>>

export type OrderBy = keyof typeof orders

export interface IssueFilter {
  projectId?: number
  projectIds?: number[]
  issueType?: IssueType
  state?: IssueState
  iids?: number[]
  search?: string
  severity?: Severity
  authorId?: number
  authorUsername?: string
  /** 0 for unassigned issues. */
  assigneeId?: Static<typeof AssigneeId>
  assigneeUsername?: string
  /** Names that all have to be on the issue; `None` or `Any`. */
  labels?: string[]
  /** A title, `None` or `Any`. */
  milestone?: string
  due?: DueFilter
  createdAfter?: Date
  createdBefore?: Date
  updatedAfter?: Date
  updatedBefore?: Date
  orderBy?: OrderBy
  sort?: 'asc' | 'desc'
}

export function listIssues(em: EntityManager, filter: IssueFilter) {
  const { orderBy = 'created_at', sort } = filter

  return listByIid<IssueRow>(em, { table: 'issues', where: matches(filter), column: orders[orderBy], sort, load: loadIssues })
}

/** On the table `issues`. */
export function matches({ projectId, projectIds, search, assigneeId, assigneeUsername, ...filter }: IssueFilter) {
  const text = search?.trim() && containing(search.trim())

  return allOf(
    projectId !== undefined && sql`project_id = ${projectId}`,
    projectIds && sql`project_id = ANY (${projectIds}::bigint[])`,
    filter.issueType && sql`issue_type = ${filter.issueType}`,
    filter.state && sql`state = ${filter.state}`,
    filter.iids && sql`iid = ANY (${filter.iids}::bigint[])`,
    text && sql`(title ILIKE ${text} OR description ILIKE ${text})`,
    filter.severity && sql`severity = ${filter.severity}::alert_severity`,
    filter.authorId !== undefined && sql`author_id = ${filter.authorId}`,
    filter.authorUsername !== undefined && sql`author_id = (SELECT id FROM users WHERE lower(username) = lower(${filter.authorUsername}))`,
    filter.createdAfter && sql`created_at >= ${filter.createdAfter}`,
    filter.createdBefore && sql`created_at <= ${filter.createdBefore}`,
    filter.updatedAfter && sql`updated_at >= ${filter.updatedAfter}`,
    filter.updatedBefore && sql`updated_at <= ${filter.updatedBefore}`,
    filter.labels && isLabelled(filter.labels),
    filter.milestone !== undefined && isInMilestone(filter.milestone),
    filter.due && isDue(filter.due),
    isAssigned('issue', assigneeId, assigneeUsername)
  )
}

function isLabelled(names: string[]) {
  const [name = ''] = names
  const labels = sql`SELECT FROM issue_labels x WHERE x.issue_id = issues.id`

  if (names.length === 1 && /^none$/i.test(name)) return sql`NOT EXISTS (${labels})`
  if (names.length === 1 && /^any$/i.test(name)) return sql`EXISTS (${labels})`
  const distinct = [...new Set(names)]

  return sql`(SELECT count(DISTINCT l.name) FROM issue_labels x JOIN labels l ON l.id = x.label_id
    WHERE x.issue_id = issues.id AND l.name = ANY (${distinct})) = ${distinct.length}`
}

function isInMilestone(title: string) {
  if (/^none$/i.test(title)) return sql`milestone_id IS NULL`
  if (/^any$/i.test(title)) return sql`milestone_id IS NOT NULL`

  return sql`milestone_id IN (SELECT id FROM milestones WHERE title = ${title})`
}
