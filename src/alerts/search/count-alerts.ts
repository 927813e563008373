import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { type AlertStatus, alertStatuses, openStatuses } from '../alert.ts'
import type { AlertSearch, Page } from './alert-search.ts'
import { candidates } from './candidates.ts'
import { assigned, isScanned } from './find-alerts.ts'

/** Counting stops here. */
export const maxCounted = 1000

const everything: Page = { sort: 'newest', isBackwards: false, limit: maxCounted }

type Counts = Record<AlertStatus, number>

/** The number of alerts of each status; undefined for searches without an index. */
export async function countByStatus(em: EntityManager, search: AlertSearch): Promise<Counts | undefined> {
  if (isScanned(search, everything)) return undefined
  const ofAll = { ...search, statuses: [...alertStatuses] }
  const { rows } = await (typeof search.assignee === 'number' ? countAssigned(ofAll) : countEach(ofAll)).execute(em.getKysely())
  const counts = new Map(rows.map(({ status, count }) => [status, Math.min(count, maxCounted)]))

  return Object.fromEntries(alertStatuses.map(status => [status, counts.get(status) ?? 0])) as Counts
}

/** The number of open alerts, up to `maxCounted` of each status. */
export async function countOpen(em: EntityManager, projectIds: number[]) {
  const { rows } = await countEach({ projectIds, statuses: [...openStatuses] }).execute(em.getKysely())

  return rows.reduce((sum, { count }) => sum + count, 0)
}

function countAssigned(search: AlertSearch) {
  return sql<Row>`SELECT status, count(*) FROM ${assigned(search, everything)} AS a GROUP BY status`
}

function countEach(search: AlertSearch) {
  const counts = search.statuses.map(
    status => sql`
      SELECT ${status} AS status, count(*)
      FROM (SELECT FROM (${candidates({ ...search, statuses: [status] }, everything, maxCounted, sql``)}) AS a LIMIT ${maxCounted}) AS counted`
  )

  return sql<Row>`${sql.join(counts, sql` UNION ALL `)}`
}

interface Row {
  status: AlertStatus
  count: number
}
