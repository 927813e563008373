import { sql } from 'kysely'
import { severities } from '#lib/severity.ts'
import { allOf } from '#platform/database/filter.ts'
import { opposite, type Slice, type Sort } from '#platform/database/list.ts'
import { alertStatuses } from '../alert.ts'
import { type AlertFilter, hasColumns } from '../alert-filter.ts'

/** By status or severity, the most urgent first; equal ones by the column. */
export interface AlertOrder {
  ranks: (keyof typeof ranked)[]
  by: 'started_at' | 'last_seen_at' | 'events'
  sort: Sort
}

export const sorts = {
  triage: { ranks: ['status', 'severity'], by: 'started_at', sort: 'desc' },
  newest: { ranks: [], by: 'started_at', sort: 'desc' },
  oldest: { ranks: [], by: 'started_at', sort: 'asc' },
  /** Of equal severity, those that nobody has acknowledged come first. */
  severity: { ranks: ['severity', 'status'], by: 'started_at', sort: 'desc' },
  last_seen: { ranks: [], by: 'last_seen_at', sort: 'desc' },
  events: { ranks: [], by: 'events', sort: 'desc' }
} satisfies Record<string, AlertOrder>

export type AlertSort = keyof typeof sorts

const ranked = { status: alertStatuses as readonly string[], severity: severities as readonly string[] }

/**
 * The first alerts of each project, status and severity, after a position if given. Each of these ranges is in an index, so
 * that at most `limit` entries of each are read.
 */
export function candidates(filter: AlertFilter, order: AlertOrder, slice: Slice, columns = sql``) {
  const sort = slice.isBackwards ? opposite[order.sort] : order.sort
  const isInStretch = allOf(
    sql`alerts.project_id = p.id AND alerts.status = s.status`,
    hasSeverities(filter, order) && sql`alerts.severity = s.severity`,
    sql`(alerts.started_at, alerts.id) ${sql.raw(sort === 'asc' ? '>' : '<')} (s.started_at, s.id)`,
    // Not EXISTS: the planner may turn it into a join with the entire table.
    /^none$/i.test(String(filter.assigneeId)) && sql`(SELECT true FROM alert_assignees w WHERE w.alert_id = alerts.id LIMIT 1) IS NULL`
  )
  const direction = sql.raw(sort)

  return sql`
    SELECT c.* FROM unnest(${filter.projectIds}::bigint[]) AS p (id)
    CROSS JOIN ${stretches(filter, order, slice, sort)} CROSS JOIN LATERAL (
      SELECT id, project_id, status, severity, started_at ${columns} FROM alerts
      WHERE ${allOf(isInStretch, hasColumns(filter))}
      ORDER BY alerts.started_at ${direction}, alerts.id ${direction} LIMIT ${slice.limit}
    ) AS c`
}

/** Whether each stretch is of one severity. */
export function hasSeverities({ severities: wanted }: AlertFilter, { ranks }: AlertOrder) {
  return wanted !== undefined || ranks.length > 0
}

/** The statuses and severities to list, each with the position to start after: those before the slice are left out. */
function stretches(filter: AlertFilter, order: AlertOrder, { after, isBackwards }: Slice, sort: Sort) {
  const wanted = hasSeverities(filter, order) ? (filter.severities ?? severities) : [null]
  const all = (filter.statuses ?? alertStatuses).flatMap(status => wanted.map(severity => ({ status, severity })))
  const first = after && rankOf(order, position => after[position])
  const left = all.flatMap(stretch => {
    const rank = rankOf(order, (_, name) => stretch[name])

    if (first !== undefined && (isBackwards ? rank > first : rank < first)) return []

    return [[stretch.status, stretch.severity, ...(rank === first ? after!.slice(-2) : starts[sort])]]
  })
  const column = (n: number) => left.map(values => values[n])

  return sql`unnest(${column(0)}::alert_status[], ${column(1)}::alert_severity[], ${column(2)}::timestamptz[], ${column(3)}::bigint[])
    AS s (status, severity, started_at, id)`
}

const starts = { asc: ['-infinity', 0], desc: ['infinity', Number.MAX_SAFE_INTEGER] }

/** The place of a status and severity in the order. */
function rankOf({ ranks }: AlertOrder, valueAt: (position: number, name: keyof typeof ranked) => unknown) {
  return ranks.reduce((rank, name, n) => rank * 100 + ranked[name].indexOf(valueAt(n, name) as string), 0)
}
