import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { alertStatuses } from './alert.ts'

interface HourlyAlerts {
  project_id: number
  hour: Date
  count: number
}

/** The alerts of several projects that started, by hour. */
export async function countStartedAlerts(em: EntityManager, projectIds: number[], since: Date) {
  const { rows } = await sql<HourlyAlerts>`
    SELECT project_id, date_trunc('hour', started_at, 'UTC') AS hour, count(*) FROM alerts
    WHERE project_id = ANY (${projectIds}::bigint[]) AND status = ANY (${alertStatuses}::alert_status[]) AND started_at >= ${since.toISOString()}
    GROUP BY 1, 2`.execute(em.getKysely())

  return rows
}

/** The triggered alerts of each project, up to `max`. */
export async function countFiring(em: EntityManager, projectIds: number[], max: number) {
  const { rows } = await sql<{ project_id: number; count: number }>`
    SELECT p.id AS project_id, (
      SELECT count(*) FROM (SELECT FROM alerts WHERE project_id = p.id AND status = 'triggered' LIMIT ${max}) firing
    ) AS count
    FROM unnest(${projectIds}::bigint[]) AS p (id)`.execute(em.getKysely())

  return new Map(rows.map(({ project_id: id, count }) => [id, count]))
}
