import { sql } from 'kysely'
import { severities } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { byId, type Column, type Key, type Sort, selectList } from '#platform/database/list.ts'
import { type IssueRow, loadIssues } from '../load-issues.ts'
import { type IssueFilter, matches } from './issue-filter.ts'

/** `iid` is in the order of creation. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', of: issue => issue.iid },
  updated_at: { sql: 'updated_at', type: 'timestamptz', of: issue => issue.updated_at },
  title: { sql: 'title', type: 'text', of: issue => issue.title },
  /** Issues without a due date are last, as in GitLab. */
  due_date: { sql: 'due_date', type: 'date', of: issue => issue.due_date, nulls: { asc: '9999-12-31', desc: '0001-01-01' } },
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

const id: Column<IssueRow> = { sql: 'id', type: 'bigint', of: issue => issue.id }

/** In lists over several projects, whose iids repeat. */
export const globalOrders = { ...orders, created_at: id }

interface Order {
  by?: keyof typeof orders
  sort?: Sort
}

/** Lists the issues of one project. */
export function listIssues(em: EntityManager, filter: IssueFilter, { by = 'created_at', sort = 'desc' }: Order = {}) {
  return listBy(em, filter, [
    { ...orders[by], sort },
    { ...orders.created_at, sort }
  ])
}

/** Lists the issues of several projects. */
export function listAllIssues(em: EntityManager, filter: IssueFilter, { by = 'created_at', sort = 'desc' }: Order = {}) {
  return listBy(em, filter, [
    { ...globalOrders[by], sort },
    { ...id, sort }
  ])
}

/** The orders of pages: issues that are equal are the newest first. */
export const issueSorts = {
  newest: { sql: 'created_at', type: 'timestamptz', of: issue => issue.created_at, sort: 'desc' },
  updated: { ...orders.updated_at, sort: 'desc' },
  /** Critical ones first. */
  severity: { sql: 'severity', type: 'alert_severity', of: issue => issue.severity, values: severities, sort: 'asc' }
} satisfies Record<string, Key<IssueRow>>

export type IssueSort = keyof typeof issueSorts

/** As pages sort them. */
export function searchIssues(em: EntityManager, filter: IssueFilter, sort: IssueSort) {
  return listBy(em, filter, [issueSorts[sort], { ...id, sort: 'desc' }])
}

function listBy(em: EntityManager, filter: IssueFilter, keys: Key<IssueRow>[]) {
  return selectList(em, {
    from: em.getKysely<{ issues: { id: number } }>().selectFrom('issues').where(matches(filter)),
    load: byId(ids => loadIssues(em, ids)),
    keys
  })
}
