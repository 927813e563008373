import { type Severity, severities } from '../lib/severity.ts'
import { Conditions } from '../platform/database/conditions.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import { type Column, numbered } from '../projects/visibility/iid-list.ts'
import { type AlertStatus, alertStatuses } from './alert.ts'
import { type AlertRow, loadAlerts } from './load-alerts.ts'

const never = '9999-12-31T00:00:00Z'

/** `iid` is in the order of creation. Unresolved alerts end last. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', kind: 'id', of: alert => alert.iid },
  updated_at: { sql: 'updated_at', type: 'timestamptz', kind: 'time', of: alert => alert.updated_at },
  started_at: { sql: 'started_at', type: 'timestamptz', kind: 'time', of: alert => alert.started_at },
  ended_at: { sql: `coalesce(ended_at, '${never}')`, type: 'timestamptz', kind: 'time', of: alert => alert.ended_at ?? never },
  event_count: { sql: 'events', type: 'bigint', kind: 'id', of: alert => alert.events },
  severity: { sql: 'severity', type: 'alert_severity', kind: 'text', of: alert => alert.severity, words: severities },
  status: { sql: 'status', type: 'alert_status', kind: 'text', of: alert => alert.status, words: alertStatuses }
} satisfies Record<string, Column<AlertRow>>

export type OrderBy = keyof typeof orders

export interface AlertFilter {
  projectId: number
  statuses?: AlertStatus[]
  severities?: Severity[]
  search?: string
  environment?: string
  service?: string
  tool?: string
  /** 0 for unassigned alerts. */
  assigneeId?: number
  assigneeUsername?: string
  startedAfter?: Date
  startedBefore?: Date
  endedAfter?: Date
  endedBefore?: Date
  orderBy?: OrderBy
  sort?: 'asc' | 'desc'
}

const searchedColumns = ['title', 'description', 'monitoring_tool', 'service']

export function listAlerts(em: EntityManager, filter: AlertFilter) {
  const { orderBy = 'created_at', sort } = filter

  return numbered<AlertRow>(em, { table: 'alerts', conditions: conditionsOf(filter), column: orders[orderBy], sort, load: loadAlerts })
}

/** `open` counts triggered and acknowledged alerts. */
export async function countByStatus(em: EntityManager, filter: AlertFilter) {
  const { sql, values } = conditionsOf(filter)
  const rows = await query<{ status: AlertStatus; count: string }>(
    em,
    `SELECT status, count(*) FROM alerts WHERE ${sql} GROUP BY status`,
    values
  )
  const byStatus = new Map(rows.map(({ status, count }) => [status, Number(count)]))
  const counts = Object.fromEntries(alertStatuses.map(status => [status, byStatus.get(status) ?? 0])) as Record<AlertStatus, number>

  return { all: [...byStatus.values()].reduce((sum, count) => sum + count, 0), open: counts.triggered + counts.acknowledged, ...counts }
}

function conditionsOf(filter: AlertFilter) {
  const search = filter.search?.trim().replace(/[\\%_]/g, '\\$&')
  const conditions = new Conditions()
    .add('project_id = ?', filter.projectId)
    .add('status = ANY (?::alert_status[])', filter.statuses)
    .add('severity = ANY (?::alert_severity[])', filter.severities)
    .add('environment = ?', filter.environment)
    .add('service = ?', filter.service)
    .add('monitoring_tool = ?', filter.tool)
    .add('started_at >= ?', filter.startedAfter)
    .add('started_at <= ?', filter.startedBefore)
    .add('ended_at >= ?', filter.endedAfter)
    .add('ended_at <= ?', filter.endedBefore)
    .add(`${assigned} AND lower(u.username) = lower(?))`, filter.assigneeUsername)

  if (filter.assigneeId === 0) conditions.add(`NOT ${assigned} AND ?)`, true)
  else conditions.add(`${assigned} AND u.id = ?)`, filter.assigneeId)
  if (search)
    conditions.add(`(${searchedColumns.map(column => `${column} ILIKE ?`).join(' OR ')})`, ...searchedColumns.map(() => `%${search}%`))

  return conditions
}

const assigned = 'EXISTS (SELECT FROM alert_assignees s JOIN users u ON u.id = s.user_id WHERE s.alert_id = alerts.id'
