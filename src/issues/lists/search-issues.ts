import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { countUpTo } from '#platform/database/filter.ts'
import { type IssueRow, loadIssues } from '../load-issues.ts'
import { type IssueFilter, matches } from './issue-filter.ts'

/** Severities ascend from critical on. */
export const issueSorts = {
  newest: { column: 'created_at', type: 'timestamptz', kind: 'time', isAscending: false },
  updated: { column: 'updated_at', type: 'timestamptz', kind: 'time', isAscending: false },
  severity: { column: 'severity', type: 'alert_severity', kind: 'text', isAscending: true }
} as const

export type IssueSort = keyof typeof issueSorts

/** The value of the sort column and the id of an issue. */
export type IssuePosition = [value: string, id: number]

interface Page {
  sort: IssueSort
  /** Where the last page ended; undefined for the first one. */
  from?: IssuePosition
  isBackwards?: boolean
  limit: number
}

/** The issues of one or several projects that match, newest first where they are equal. Backwards, nearest first. */
export async function searchIssues(em: EntityManager, filter: IssueFilter, { sort, from, isBackwards = false, limit }: Page) {
  const { column, type, isAscending } = issueSorts[sort]
  const order = isAscending === isBackwards ? 'desc' : 'asc'
  const value = sql.ref(column)
  const [beyond, older] = [sql.raw(order === 'asc' ? '>' : '<'), sql.raw(isBackwards ? '>' : '<')]
  const isAfter =
    from &&
    sql<boolean>`(${value} ${beyond} ${from[0]}::${sql.raw(type)} OR (${value} = ${from[0]}::${sql.raw(type)} AND id ${older} ${from[1]}))`
  const rows = await selection(em, filter)
    .$if(isAfter !== undefined, issues => issues.where(isAfter!))
    .orderBy(value, order)
    .orderBy('id', isBackwards ? 'asc' : 'desc')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  const byId = new Map((await loadIssues(em, ids)).map(row => [row.id, row]))

  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Counts no more than `max` of them. */
export function countIssues(em: EntityManager, filter: IssueFilter, max: number) {
  return countUpTo(em, selection(em, filter), max)
}

export function positionOf(issue: IssueRow, sort: IssueSort): IssuePosition {
  return [issue[issueSorts[sort].column], issue.id]
}

function selection(em: EntityManager, filter: IssueFilter) {
  return em.getKysely<Tables>().selectFrom('issues').select('id').where(matches(filter))
}
