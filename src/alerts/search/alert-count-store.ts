import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { type AlertStatus, alertStatuses, openStatuses } from '../alert.ts'
import type { AlertFilter } from '../alert-filter.ts'
import { assigned, isScanned } from './alert-search-store.ts'
import { candidates, sorts } from './candidates.ts'

/** Counting stops here. */
export const maxCounted = 1000

type Counts = Record<AlertStatus, number>

/** The number of alerts of each status, up to `maxCounted`; undefined for filters without an index. */
export async function countUpToByStatus(em: EntityManager, filter: AlertFilter): Promise<Counts | undefined> {
  if (isScanned(filter, sorts.newest)) return undefined
  const ofAll = { ...filter, statuses: [...alertStatuses] }
  const { rows } = await (typeof filter.assigneeId === 'number' ? countAssigned(ofAll) : countEach(ofAll)).execute(em.getKysely())
  const counts = new Map(rows.map(({ status, count }) => [status, Math.min(Number(count), maxCounted)]))

  return Object.fromEntries(alertStatuses.map(status => [status, counts.get(status) ?? 0])) as Counts
}

/** The number of open alerts, up to `maxCounted` of each status. */
export async function countOpen(em: EntityManager, projectIds: number[]) {
  const { rows } = await countEach({ projectIds, statuses: [...openStatuses] }).execute(em.getKysely())

  return rows.reduce((sum, { count }) => sum + Number(count), 0)
}

function countAssigned(filter: AlertFilter) {
  return sql<Row>`SELECT status, count(*) FROM ${assigned(filter)} AS a GROUP BY status`
}

function countEach({ statuses, ...filter }: AlertFilter & { statuses: AlertStatus[] }) {
  const counts = statuses.map(
    status => sql`
      SELECT ${status} AS status, count(*)
      FROM (SELECT FROM (${candidates({ ...filter, statuses: [status] }, sorts.newest, { limit: maxCounted })}) AS a LIMIT ${maxCounted}) AS counted`
  )

  return sql<Row>`${sql.join(counts, sql` UNION ALL `)}`
}

interface Row {
  status: AlertStatus
  count: string
}
