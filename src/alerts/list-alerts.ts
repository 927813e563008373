import { type EntityManager, query } from '../platform/database.ts'
import { Conditions } from '../projects/conditions.ts'
import { type AlertStatus, alertStatuses } from './alert.ts'
import type { Severity } from './severity.ts'
import { readShown } from './shown.ts'

/** By what a list can be sorted: the column, what it is compared as, and the kind of its cursor. An alert that goes on ends last. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', kind: 'id' },
  updated_at: { sql: 'updated_at', type: 'timestamptz', kind: 'time' },
  started_at: { sql: 'started_at', type: 'timestamptz', kind: 'time' },
  ended_at: { sql: `coalesce(ended_at, '9999-12-31T00:00:00Z')`, type: 'timestamptz', kind: 'time' },
  event_count: { sql: 'events', type: 'bigint', kind: 'id' },
  severity: { sql: 'severity', type: 'alert_severity', kind: 'text' },
  status: { sql: 'status', type: 'alert_status', kind: 'text' }
} as const

export type OrderBy = keyof typeof orders
export type Position = [value: string | number, iid: number]

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
  const { orderBy = 'created_at', sort = 'desc' } = filter
  const { sql: column, type } = orders[orderBy]
  const find = async (conditions: Conditions, limit: number, offset = 0) => {
    const rows = await query<{ id: string }>(
      em,
      `SELECT id FROM alerts WHERE ${conditions.sql} ORDER BY ${column} ${sort}, iid ${sort} LIMIT ${limit} OFFSET ${offset}`,
      conditions.values
    )

    return readShown(
      em,
      rows.map(({ id }) => Number(id))
    )
  }

  return {
    list: (limit: number, offset = 0) => find(conditionsOf(filter), limit, offset),
    listAfter: (after: Position | undefined, limit: number) => {
      const conditions = conditionsOf(filter)

      conditions.add(`(${column}, iid) ${sort === 'asc' ? '>' : '<'} (?::${type}, ?::bigint)`, after?.[0], after?.[1])

      return find(conditions, limit)
    },
    async count(most: number) {
      const { sql, values } = conditionsOf(filter)
      const [row] = await query<{ count: string }>(
        em,
        `SELECT count(*) FROM (SELECT FROM alerts WHERE ${sql} LIMIT ${most}) AS counted`,
        values
      )

      return Number(row!.count)
    },
    /** How many there are of each status; open are those that somebody may still have to look at. */
    async countByStatus() {
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
  }
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
