import { Conditions } from '../platform/database/conditions.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import { type Column, numbered } from '../projects/visibility/iid-list.ts'
import { type AlertStatus, alertStatuses } from './alert.ts'
import { readShown, type ShownAlert } from './alert-row.ts'
import { type Severity, severities } from './severity.ts'

const never = '9999-12-31T00:00:00Z'

/** Numbers are given out in the order of creation. An alert that goes on ends last. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', kind: 'id', of: alert => alert.iid },
  updated_at: { sql: 'updated_at', type: 'timestamptz', kind: 'time', of: alert => alert.updated_at },
  started_at: { sql: 'started_at', type: 'timestamptz', kind: 'time', of: alert => alert.started_at },
  ended_at: { sql: `coalesce(ended_at, '${never}')`, type: 'timestamptz', kind: 'time', of: alert => alert.ended_at ?? never },
  event_count: { sql: 'events', type: 'bigint', kind: 'id', of: alert => alert.events },
  severity: { sql: 'severity', type: 'alert_severity', kind: 'text', of: alert => alert.severity, words: severities },
  status: { sql: 'status', type: 'alert_status', kind: 'text', of: alert => alert.status, words: alertStatuses }
} satisfies Record<string, Column<ShownAlert>>

export type OrderBy = keyof typeof orders

export interface AlertFilter {
  projectId: number
  statuses?: AlertStatus[]
  severities?: Severity[]
  search?: string
  environment?: string
  service?: string
  tool?: string
  /** 0 for alerts that nobody looks after. */
  assigneeId?: number
  assigneeUsername?: string
  startedAfter?: Date
  startedBefore?: Date
  endedAfter?: Date
  endedBefore?: Date
  orderBy?: OrderBy
  sort?: 'asc' | 'desc'
}

const searched = ['title', 'description', 'monitoring_tool', 'service']

export function projectAlerts(em: EntityManager, filter: AlertFilter) {
  const { orderBy = 'created_at', sort } = filter

  return numbered<ShownAlert>(em, { table: 'alerts', conditions: conditionsOf(filter), column: orders[orderBy], sort, read: readShown })
}

/** How many there are of each status; open are those that somebody may still have to look at. */
export async function countByStatus(em: EntityManager, filter: AlertFilter) {
  const { sql, values } = conditionsOf(filter)
  const rows = await query<{ status: AlertStatus; count: string }>(
    em,
    `SELECT status, count(*) FROM alerts WHERE ${sql} GROUP BY status`,
    values
  )
  const found = new Map(rows.map(({ status, count }) => [status, Number(count)]))
  const counts = Object.fromEntries(alertStatuses.map(status => [status, found.get(status) ?? 0])) as Record<AlertStatus, number>

  return { all: [...found.values()].reduce((sum, count) => sum + count, 0), open: counts.triggered + counts.acknowledged, ...counts }
}

function conditionsOf(filter: AlertFilter) {
  const words = filter.search?.trim().replace(/[\\%_]/g, '\\$&')
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
  if (words) conditions.add(`(${searched.map(column => `${column} ILIKE ?`).join(' OR ')})`, ...searched.map(() => `%${words}%`))

  return conditions
}

const assigned = 'EXISTS (SELECT FROM alert_assignees s JOIN users u ON u.id = s.user_id WHERE s.alert_id = alerts.id'
