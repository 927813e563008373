import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type Severity, severities } from '#lib/severity.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { type Column, listByIid } from '#projects/iid-list.ts'
import { type AssigneeId, isAssigned } from '#projects/members/assignees.ts'
import { type AlertStatus, alertStatuses } from './alert.ts'
import { type AlertRow, loadAlerts } from './load-alerts.ts'

const never = '9999-12-31T00:00:00Z'

/** `iid` is in the order of creation. Unresolved alerts end last. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', kind: 'id', read: alert => alert.iid },
  updated_at: { sql: 'updated_at', type: 'timestamptz', kind: 'time', read: alert => alert.updated_at },
  started_at: { sql: 'started_at', type: 'timestamptz', kind: 'time', read: alert => alert.started_at },
  ended_at: { sql: `coalesce(ended_at, '${never}')`, type: 'timestamptz', kind: 'time', read: alert => alert.ended_at ?? never },
  event_count: { sql: 'events', type: 'bigint', kind: 'id', read: alert => alert.events },
  severity: { sql: 'severity', type: 'alert_severity', kind: 'text', read: alert => alert.severity, values: severities },
  status: { sql: 'status', type: 'alert_status', kind: 'text', read: alert => alert.status, values: alertStatuses }
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
  assigneeId?: Static<typeof AssigneeId>
  assigneeUsername?: string
  startedAfter?: Date
  startedBefore?: Date
  endedAfter?: Date
  endedBefore?: Date
  orderBy?: OrderBy
  sort?: 'asc' | 'desc'
}

export function listAlerts(em: EntityManager, filter: AlertFilter) {
  const { orderBy = 'created_at', sort } = filter

  return listByIid<AlertRow>(em, { table: 'alerts', where: matches(filter), column: orders[orderBy], sort, load: loadAlerts })
}

/** `open` counts triggered and acknowledged alerts. */
export async function countByStatus(em: EntityManager, filter: AlertFilter) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('alerts')
    .select(e => ['status', e.fn.countAll<number>().as('count')])
    .where(matches(filter))
    .groupBy('status')
    .execute()
  const byStatus = new Map(rows.map(({ status, count }) => [status, count]))
  const counts = Object.fromEntries(alertStatuses.map(status => [status, byStatus.get(status) ?? 0])) as Record<AlertStatus, number>

  return { all: [...byStatus.values()].reduce((sum, count) => sum + count, 0), open: counts.triggered + counts.acknowledged, ...counts }
}

function matches({ projectId, search, assigneeId, assigneeUsername, ...filter }: AlertFilter) {
  const text = search?.trim() && containing(search.trim())

  return allOf(
    sql`project_id = ${projectId}`,
    filter.statuses && sql`status = ANY (${filter.statuses}::alert_status[])`,
    filter.severities && sql`severity = ANY (${filter.severities}::alert_severity[])`,
    filter.environment !== undefined && sql`environment = ${filter.environment}`,
    filter.service !== undefined && sql`service = ${filter.service}`,
    filter.tool !== undefined && sql`monitoring_tool = ${filter.tool}`,
    filter.startedAfter && sql`started_at >= ${filter.startedAfter}`,
    filter.startedBefore && sql`started_at <= ${filter.startedBefore}`,
    filter.endedAfter && sql`ended_at >= ${filter.endedAfter}`,
    filter.endedBefore && sql`ended_at <= ${filter.endedBefore}`,
    isAssigned('alert', assigneeId, assigneeUsername),
    text && sql`(title ILIKE ${text} OR description ILIKE ${text} OR monitoring_tool ILIKE ${text} OR service ILIKE ${text})`
  )
}
