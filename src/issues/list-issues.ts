import type { Severity } from '../alerts/severity.ts'
import { type EntityManager, query } from '../platform/database.ts'
import { Conditions } from '../projects/conditions.ts'
import type { IssueState, IssueType } from './issue.ts'
import { readShown } from './shown.ts'

/** By what a list can be sorted: the column, what it is compared as, and the kind of its cursor. Numbers are given out in the order of creation. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', kind: 'id' },
  updated_at: { sql: 'updated_at', type: 'timestamptz', kind: 'time' },
  title: { sql: 'title', type: 'text', kind: 'text' }
} as const

export type OrderBy = keyof typeof orders
export type Position = [value: string | number, iid: number]

export interface IssueFilter {
  projectId: number
  issueType?: IssueType
  state?: IssueState
  iids?: number[]
  search?: string
  severity?: Severity
  authorId?: number
  authorUsername?: string
  /** 0 for issues that nobody works on. */
  assigneeId?: number
  assigneeUsername?: string
  createdAfter?: Date
  createdBefore?: Date
  updatedAfter?: Date
  updatedBefore?: Date
  orderBy?: OrderBy
  sort?: 'asc' | 'desc'
}

export function projectIssues(em: EntityManager, filter: IssueFilter) {
  const { orderBy = 'created_at', sort = 'desc' } = filter
  const { sql: column, type } = orders[orderBy]
  const find = async ({ sql, values }: Conditions, limit: number, offset = 0) => {
    const rows = await query<{ id: string }>(
      em,
      `SELECT id FROM issues WHERE ${sql} ORDER BY ${column} ${sort}, iid ${sort} LIMIT ${limit} OFFSET ${offset}`,
      values
    )

    return readShown(
      em,
      rows.map(({ id }) => Number(id))
    )
  }

  return {
    list: (limit: number, offset = 0) => find(conditionsOf(filter), limit, offset),
    listAfter: (after: Position | undefined, limit: number) => {
      const beyond = `(${column}, iid) ${sort === 'asc' ? '>' : '<'} (?::${type}, ?::bigint)`

      return find(conditionsOf(filter).add(beyond, after?.[0], after?.[1]), limit)
    },
    async count(most: number) {
      const { sql, values } = conditionsOf(filter)
      const [row] = await query<{ count: string }>(
        em,
        `SELECT count(*) FROM (SELECT FROM issues WHERE ${sql} LIMIT ${most}) AS counted`,
        values
      )

      return Number(row!.count)
    }
  }
}

function conditionsOf(filter: IssueFilter) {
  const words = filter.search?.trim().replace(/[\\%_]/g, '\\$&')
  const contains = words ? `%${words}%` : undefined
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
