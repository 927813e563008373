import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

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
