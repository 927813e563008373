import { type RawBuilder, sql } from 'kysely'
import { severities } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { type AlertRow, loadAlerts } from '../load-alerts.ts'
import { type AlertSearch, orderOf, type Page, type Position } from './alert-search.ts'
import { candidates, direction, hasColumns, hasSeverities, hasText, isAfter } from './candidates.ts'

/** Alerts to read at most, over all projects, where no index has the order or the condition. */
const maxScanned = 10_000
const minScannedOfSlice = 200

interface Found {
  ids: number[]
  /** Not all alerts were searched: only the newest ones of each project. */
  isPartial: boolean
}

/** A page of alerts. */
export async function findAlerts(em: EntityManager, search: AlertSearch, page: Page) {
  const { ids, isPartial } = await findAlertIds(em, search, page)
  const byId = new Map((await loadAlerts(em, ids)).map(row => [row.id, row]))

  return { alerts: ids.flatMap((id): AlertRow | [] => byId.get(id) ?? []), isPartial }
}

export async function findAlertIds(em: EntityManager, search: AlertSearch, page: Page): Promise<Found> {
  if (search.projectIds.length === 0) return { ids: [], isPartial: false }
  if (typeof search.assignee === 'number') return findIn(em, assigned(search, page), page)
  if (isScanned(search, page)) return scan(em, search, page)

  return findIn(em, sql`(${candidates(search, page, page.limit, sql``)})`, page)
}

export function isScanned({ words, assignee }: AlertSearch, page: Page) {
  return Boolean(words) || assignee === 'any' || orderOf(page).isScanned === true
}

async function findIn(em: EntityManager, source: RawBuilder<unknown>, page: Page): Promise<Found> {
  const { rows } = await sql<{ id: number }>`SELECT a.id FROM ${source} AS a ${listOrder(page)}`.execute(em.getKysely())

  return { ids: rows.map(({ id }) => id), isPartial: false }
}

/** All alerts of an assignee, by the index of assignees. */
export function assigned(search: AlertSearch, page: Page) {
  const conditions = [
    sql`a.project_id = ANY (${search.projectIds}::bigint[]) AND a.status = ANY (${search.statuses}::alert_status[])`,
    search.severities && sql`a.severity = ANY (${search.severities}::alert_severity[])`,
    hasColumns(search),
    hasText(search),
    isAfter(page),
    orderOf(page).bySeverity && page.from && isAfterSeverity(page.from, page)
  ]

  // OFFSET 0: otherwise the planner may join with the entire table.
  return sql`(
    SELECT a.* FROM alert_assignees w CROSS JOIN LATERAL (
      SELECT a.id, a.status, a.severity, a.started_at, a.last_seen_at, a.events FROM alerts a WHERE a.id = w.alert_id AND ${allOf(...conditions)} OFFSET 0
    ) AS a WHERE w.user_id = ${search.assignee})`
}

function isAfterSeverity({ status, severity, value, id }: Position, page: Page) {
  const { byStatus, isAscending } = orderOf(page)
  const [next, sign] = isAscending ? ['<', '>'].map(sql.raw) : ['>', '<'].map(sql.raw)
  const rank = byStatus ? sql`ROW(a.status, a.severity)` : sql`ROW(a.severity)`
  const given = byStatus ? sql`ROW(${status}::alert_status, ${severity}::alert_severity)` : sql`ROW(${severity}::alert_severity)`

  return sql`(${rank} ${next} ${given} OR ${rank} = ${given} AND (a.started_at, a.id) ${sign} (${value}::timestamptz, ${id}::bigint))`
}

/** Filters and sorts the newest alerts. */
async function scan(em: EntityManager, search: AlertSearch, page: Page): Promise<Found> {
  const isBySeverity = hasSeverities(search, page)
  const slices = search.projectIds.length * (isBySeverity ? (search.severities ?? severities).length : 1)
  const limit = Math.max(minScannedOfSlice, Math.ceil(maxScanned / slices))
  const columns = sql`, a.last_seen_at, a.events ${search.words ? sql`, a.title, a.description, a.service, a.monitoring_tool` : sql``}`
  const matches = allOf(
    hasText(search),
    search.assignee === 'any' && sql`EXISTS (SELECT FROM alert_assignees w WHERE w.alert_id = a.id)`,
    orderOf(page).isScanned && isAfter(page)
  )
  const { rows } = await sql<{ ids: number[]; is_partial: boolean }>`
    WITH scanned AS MATERIALIZED (${candidates(search, page, limit, columns)})
    SELECT ARRAY (SELECT a.id FROM scanned a WHERE ${matches} ${listOrder(page)}) AS ids,
           EXISTS (SELECT FROM scanned GROUP BY project_id, status ${isBySeverity ? sql`, severity` : sql``} HAVING count(*) >= ${limit}) AS is_partial`.execute(
    em.getKysely()
  )

  return { ids: rows[0]!.ids, isPartial: rows[0]!.is_partial }
}

function listOrder(page: Page) {
  const { column, byStatus, bySeverity, isAscending } = orderOf(page)
  const ranks = [byStatus && sql`a.status`, bySeverity && sql`a.severity`].filter(rank => rank)

  return sql`ORDER BY ${sql.join(
    ranks.map(rank => sql`${rank} ${direction(!page.isBackwards)},`),
    sql` `
  )}
    ${sql.ref(`a.${column}`)} ${direction(isAscending)}, a.id ${direction(isAscending)} LIMIT ${page.limit}`
}
