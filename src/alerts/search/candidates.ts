import { type RawBuilder, sql } from 'kysely'
import { severities } from '#lib/severity.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { alertStatuses } from '../alert.ts'
import { type AlertSearch, orderOf, type Page, type Position } from './alert-search.ts'

/**
 * The first alerts in list order of each project, status and severity. Every one of these slices is a stretch of an index, so that
 * at most `limit` entries of each are read.
 */
export function candidates(search: AlertSearch, page: Page, limit: number, columns: RawBuilder<unknown>) {
  const { isScanned, ...order } = orderOf(page)
  const isAscending = !isScanned && order.isAscending
  const isInSlice = allOf(
    sql`a.project_id = p.id AND a.status = s.status`,
    hasSeverities(search, page) && sql`a.severity = s.severity`,
    order.bySeverity && sql`(a.started_at, a.id) ${after(isAscending)} (s.started_at, s.id)`
  )

  return sql`
    SELECT c.* FROM unnest(${search.projectIds}::bigint[]) AS p (id)
    CROSS JOIN ${hasSeverities(search, page) ? slicesOf(search, page) : sql`unnest(${search.statuses}::alert_status[]) AS s (status)`}
    CROSS JOIN LATERAL (
      SELECT a.id, a.project_id, a.status, a.severity, a.started_at ${columns} FROM alerts a
      WHERE ${allOf(isInSlice, hasColumns(search), !isScanned && isAfter(page))}
      ORDER BY a.started_at ${direction(isAscending)}, a.id ${direction(isAscending)} LIMIT ${limit}
    ) AS c`
}

/** Whether the slices of a list are of one severity each. */
export function hasSeverities({ severities: wanted }: AlertSearch, page: Page) {
  return Boolean(wanted ?? orderOf(page).bySeverity)
}

/** The statuses and severities to list, each with the position to start after: those before the page's are left out. */
function slicesOf({ statuses, severities: wanted = [...severities] }: AlertSearch, page: Page) {
  const { bySeverity, isAscending } = orderOf(page)
  const from = bySeverity ? page.from : undefined
  const sign = page.isBackwards ? -1 : 1
  const slices = statuses.flatMap(status => wanted.map(severity => ({ status, severity })))
  const left = slices.filter(slice => !from || sign * (rank(slice, page) - rank(from, page)) >= 0)
  const [time, id] = isAscending ? ['-infinity', 0] : ['infinity', Number.MAX_SAFE_INTEGER]
  const starts = left.map(slice => (from && rank(slice, page) === rank(from, page) ? [from.value, from.id] : [time, id]))

  return sql`unnest(${left.map(({ status }) => status)}::alert_status[], ${left.map(({ severity }) => severity)}::alert_severity[],
    ${starts.map(([time]) => time)}::timestamptz[], ${starts.map(([, id]) => id)}::bigint[]) AS s (status, severity, started_at, id)`
}

/** The place of a slice in the order of the list. */
function rank({ status, severity }: Pick<Position, 'status' | 'severity'>, page: Page) {
  return (orderOf(page).byStatus ? alertStatuses.indexOf(status) * severities.length : 0) + severities.indexOf(severity)
}

/** Conditions that have an index, or are true for most alerts. */
export function hasColumns({ service, environment, integrationId, startedAfter, startedBefore, assignee }: AlertSearch) {
  return allOf(
    service !== undefined && sql`a.service = ${service}`,
    environment !== undefined && sql`a.environment = ${environment}`,
    integrationId !== undefined && sql`a.integration_id = ${integrationId}`,
    startedAfter && sql`a.started_at >= ${startedAfter.toISOString()}::timestamptz`,
    startedBefore && sql`a.started_at <= ${startedBefore.toISOString()}::timestamptz`,
    // Not EXISTS: the planner may turn it into a join with the entire table.
    assignee === 'none' && sql`(SELECT true FROM alert_assignees w WHERE w.alert_id = a.id LIMIT 1) IS NULL`
  )
}

export function hasText({ words }: AlertSearch) {
  const text = words && containing(words)

  return text && sql`(a.title ILIKE ${text} OR a.description ILIKE ${text} OR a.monitoring_tool ILIKE ${text} OR a.service ILIKE ${text})`
}

/** The rows after a position, in orders by the column alone. */
export function isAfter(page: Page) {
  const { column, kind, isAscending, bySeverity } = orderOf(page)

  if (!page.from || bySeverity) return undefined
  const value = sql`${page.from.value}::${sql.raw(kind === 'time' ? 'timestamptz' : 'bigint')}`

  return sql`(${sql.ref(`a.${column}`)}, a.id) ${after(isAscending)} (${value}, ${page.from.id}::bigint)`
}

function after(isAscending: boolean) {
  return sql.raw(isAscending ? '>' : '<')
}

export function direction(isAscending: boolean) {
  return sql.raw(isAscending ? 'ASC' : 'DESC')
}
