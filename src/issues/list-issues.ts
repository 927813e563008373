import type { Severity } from '../lib/severity.ts'
import { Conditions } from '../platform/database/conditions.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { type Column, numbered } from '../projects/visibility/iid-list.ts'
import type { IssueState, IssueType } from './issue.ts'
import { type IssueRow, loadIssues } from './load-issues.ts'

/** `iid` is in the order of creation. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', kind: 'id', of: issue => issue.iid },
  updated_at: { sql: 'updated_at', type: 'timestamptz', kind: 'time', of: issue => issue.updated_at },
  title: { sql: 'title', type: 'text', kind: 'text', of: issue => issue.title }
} satisfies Record<string, Column<IssueRow>>

export type OrderBy = keyof typeof orders

export interface IssueFilter {
  projectId: number
  issueType?: IssueType
  state?: IssueState
  iids?: number[]
  search?: string
  severity?: Severity
  authorId?: number
  authorUsername?: string
  /** 0 for unassigned issues. */
  assigneeId?: number
  assigneeUsername?: string
  createdAfter?: Date
  createdBefore?: Date
  updatedAfter?: Date
  updatedBefore?: Date
  orderBy?: OrderBy
  sort?: 'asc' | 'desc'
}

export function listIssues(em: EntityManager, filter: IssueFilter) {
  const { orderBy = 'created_at', sort } = filter

  return numbered<IssueRow>(em, { table: 'issues', conditions: conditionsOf(filter), column: orders[orderBy], sort, load: loadIssues })
}

function conditionsOf(filter: IssueFilter) {
  const search = filter.search?.trim().replace(/[\\%_]/g, '\\$&')
  const contains = search ? `%${search}%` : undefined
  const conditions = new Conditions()
    .add('project_id = ?', filter.projectId)
    .add('issue_type = ?', filter.issueType)
    .add('state = ?', filter.state)
    .add('iid = ANY (?::bigint[])', filter.iids)
    .add('(title ILIKE ? OR description ILIKE ?)', contains, contains)
    .add('severity = ?::alert_severity', filter.severity)
    .add('author_id = ?', filter.authorId)
    .add('author_id = (SELECT id FROM users WHERE lower(username) = lower(?))', filter.authorUsername)
    .add('created_at >= ?', filter.createdAfter)
    .add('created_at <= ?', filter.createdBefore)
    .add('updated_at >= ?', filter.updatedAfter)
    .add('updated_at <= ?', filter.updatedBefore)
    .add(`${assigned} AND lower(u.username) = lower(?))`, filter.assigneeUsername)

  if (filter.assigneeId === 0) return conditions.add(`NOT ${assigned} AND ?)`, true)

  return conditions.add(`${assigned} AND u.id = ?)`, filter.assigneeId)
}

const assigned = 'EXISTS (SELECT FROM issue_assignees s JOIN users u ON u.id = s.user_id WHERE s.issue_id = issues.id'
