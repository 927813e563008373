import { sql } from 'kysely'
import { severities } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { byId, type Column, inOrderOf, type Key, type Keyset, type Slice, selectList } from '#platform/database/list.ts'
import { isAny } from '#projects/members/assignees.ts'
import { type AlertFilter, hasText, matches } from '../alert-filter.ts'
import { orders } from '../list-alerts.ts'
import { type AlertRow, loadAlerts } from '../load-alerts.ts'
import { type AlertOrder, type AlertSort, candidates, hasSeverities, sorts } from './candidates.ts'

/** Alerts to read at most, over all projects, where no index has the order or the condition. */
const maxScanned = 10_000
const minScannedOfStretch = 200

export interface AlertSearch extends Keyset<AlertRow> {
  /** The last page was not found among all alerts, but among the newest ones of each project. */
  isPartial: boolean
}

/** The alerts of several projects that match, by urgency or time. */
export function searchAlerts(em: EntityManager, filter: AlertFilter, sort: AlertSort): AlertSearch {
  const order = sorts[sort]

  return isScanned(filter, order) ? scan(em, filter, order) : { ...findByIndex(em, filter, order), isPartial: false }
}

function findByIndex(em: EntityManager, filter: AlertFilter, order: AlertOrder) {
  const source = (slice: Slice) => (typeof filter.assigneeId === 'number' ? assigned(filter) : sql`(${candidates(filter, order, slice)})`)

  return selectList(em, {
    from: slice => em.getKysely().selectFrom(sql<{ id: number }>`${source(slice)}`.as<'a'>('a')),
    load: byId(ids => loadAlerts(em, ids)),
    keys: keysOf(order)
  })
}

/** All alerts of an assignee, by the index of assignees. */
export function assigned(filter: AlertFilter) {
  // OFFSET 0: otherwise the planner may join with the entire table.
  return sql`(
    SELECT a.* FROM alert_assignees w CROSS JOIN LATERAL (
      SELECT id, status, severity, started_at, last_seen_at, events FROM alerts
      WHERE alerts.id = w.alert_id AND ${matches({ ...filter, assigneeId: undefined })} OFFSET 0
    ) AS a WHERE w.user_id = ${filter.assigneeId})`
}

/** Whether no index has the order or the condition. */
export function isScanned({ search, assigneeId }: AlertFilter, { by }: AlertOrder) {
  return typeof assigneeId !== 'number' && (Boolean(search) || isAny(assigneeId) || by !== 'started_at')
}

/** Filters and sorts the newest alerts. */
function scan(em: EntityManager, filter: AlertFilter, order: AlertOrder): AlertSearch {
  const isBySeverity = hasSeverities(filter, order)
  const stretches = filter.projectIds.length * (isBySeverity ? (filter.severities ?? severities).length : 1)
  const limit = Math.max(minScannedOfStretch, Math.ceil(maxScanned / Math.max(stretches, 1)))
  const columns = sql`, last_seen_at, events ${filter.search ? sql`, title, description, service, monitoring_tool` : sql``}`
  const scanned = (slice: Slice) =>
    order.by === 'started_at'
      ? candidates(filter, order, { ...slice, limit }, columns)
      : candidates(filter, sorts.newest, { limit }, columns)
  const isMatch = allOf(hasText(filter), isAny(filter.assigneeId) && sql`EXISTS (SELECT FROM alert_assignees w WHERE w.alert_id = a.id)`)
  const list = selectList(em, {
    from: em.getKysely<{ scanned: { id: number } }>().selectFrom('scanned as a').where(isMatch),
    async load(page, { slice }) {
      const { rows } = await sql<{ ids: string[]; is_partial: boolean }>`
        WITH scanned AS MATERIALIZED (${scanned(slice)})
        SELECT ARRAY (${page.select('a.id')}) AS ids,
               EXISTS (SELECT FROM scanned GROUP BY project_id, status ${isBySeverity ? sql`, severity` : sql``} HAVING count(*) >= ${limit}) AS is_partial`.execute(
        em.getKysely()
      )
      const ids = rows[0]!.ids.map(Number)

      search.isPartial = rows[0]!.is_partial

      return inOrderOf(ids, await loadAlerts(em, ids))
    },
    keys: keysOf(order)
  })
  const search = { ...list, isPartial: false }

  return search
}

const columns = {
  ...orders,
  last_seen_at: { sql: 'last_seen_at', type: 'timestamptz', of: alert => alert.last_seen_at },
  events: orders.event_count
} satisfies Record<string, Column<AlertRow>>

function keysOf({ ranks, by, sort }: AlertOrder): Key<AlertRow>[] {
  return [
    ...ranks.map(name => ({ ...columns[name], sort: 'asc' as const })),
    { ...columns[by], sort },
    { sql: 'id', type: 'bigint', of: ({ id }) => id, sort }
  ]
}
