import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { type Column, listByIid } from '#projects/iid-list.ts'
import { type IssueRow, loadIssues } from '../load-issues.ts'
import { type IssueFilter, matches } from './issue-filter.ts'

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
  },
  /** Issues without a milestone, or with one without a due date, are last. */
  milestone_due: {
    sql: sql`(SELECT m.due_date FROM milestones m WHERE m.id = issues.milestone_id)`,
    nulls: { asc: '9999-12-31', desc: '0001-01-01' }
  },
  /** Issues whose labels have no priority are last. */
  label_priority: {
    sql: sql`(SELECT min(p.priority)::bigint FROM issue_labels x
      JOIN label_priorities p ON p.label_id = x.label_id AND p.project_id = issues.project_id WHERE x.issue_id = issues.id)`,
    nulls: { asc: '2147483648', desc: '-1' }
  }
} satisfies Record<string, Column<IssueRow>>

/** In lists over several projects, whose iids repeat. */
export const globalOrders = { ...orders, created_at: { sql: 'id', type: 'bigint', kind: 'id', read: issue => issue.id } } satisfies Record<
  string,
  Column<IssueRow>
>

export type OrderBy = keyof typeof orders

interface Order {
  orderBy?: OrderBy
  sort?: 'asc' | 'desc'
}

export function listIssues(em: EntityManager, { orderBy = 'created_at', sort, ...filter }: IssueFilter & Order) {
  return listByIid<IssueRow>(em, { table: 'issues', where: matches(filter), column: orders[orderBy], sort, load: loadIssues })
}

/** Of several projects. */
export function listAllIssues(em: EntityManager, { orderBy = 'created_at', sort, ...filter }: IssueFilter & Order) {
  const column = globalOrders[orderBy]

  return listByIid<IssueRow>(em, { table: 'issues', where: matches(filter), column, tie: 'id', sort, load: loadIssues })
}
