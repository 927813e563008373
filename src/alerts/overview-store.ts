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

/** The alerts of a project that started on each of the last days, in UTC, oldest first. */
export async function dailyAlerts(em: EntityManager, projectId: number, days: number, now: Date) {
  const { rows } = await sql<{ at: Date; alerts: number }>`
    SELECT day::timestamp AT TIME ZONE 'UTC' AS at, count(a.started_at) AS alerts
    FROM generate_series(${now.toISOString()}::timestamptz::date - ${days - 1}::integer, ${now.toISOString()}::timestamptz::date, interval '1 day') AS d (time)
    CROSS JOIN LATERAL (SELECT d.time::date AS day) days
    LEFT JOIN alerts a ON a.project_id = ${projectId} AND a.status IN ('triggered', 'acknowledged', 'resolved', 'ignored')
      AND a.started_at >= day::timestamp AT TIME ZONE 'UTC' AND a.started_at < (day + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY day ORDER BY day`.execute(em.getKysely())

  return rows
}
