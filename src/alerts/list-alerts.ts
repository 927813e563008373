import { severities } from '#lib/severity.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { byId, type Column, type Sort, selectList } from '#platform/database/list.ts'
import { type AlertStatus, alertStatuses } from './alert.ts'
import { type AlertFilter, matches } from './alert-filter.ts'
import { type AlertRow, loadAlerts } from './load-alerts.ts'

const never = '9999-12-31T00:00:00Z'

/** `iid` is in the order of creation. Unresolved alerts end last. */
export const orders = {
  created_at: { sql: 'iid', type: 'bigint', of: alert => alert.iid },
  updated_at: { sql: 'updated_at', type: 'timestamptz', of: alert => alert.updated_at },
  started_at: { sql: 'started_at', type: 'timestamptz', of: alert => alert.started_at },
  ended_at: { sql: 'ended_at', type: 'timestamptz', of: alert => alert.ended_at, nulls: { asc: never, desc: never } },
  event_count: { sql: 'events', type: 'bigint', of: alert => alert.events },
  severity: { sql: 'severity', type: 'alert_severity', of: alert => alert.severity, values: severities },
  status: { sql: 'status', type: 'alert_status', of: alert => alert.status, values: alertStatuses }
} satisfies Record<string, Column<AlertRow>>

interface Order {
  by?: keyof typeof orders
  sort?: Sort
}

/** All alerts that match. `search/alert-search-store.ts` lists those of several projects by urgency. */
export function listAlerts(em: EntityManager, filter: AlertFilter, { by = 'created_at', sort = 'desc' }: Order = {}) {
  return selectList(em, {
    from: em.getKysely<{ alerts: { id: number } }>().selectFrom('alerts').where(matches(filter)),
    load: byId(ids => loadAlerts(em, ids)),
    keys: [
      { ...orders[by], sort },
      { ...orders.created_at, sort }
    ]
  })
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
