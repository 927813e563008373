import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

/** A number for a project in an hour. */
export interface HourlyCount {
  project_id: number
  hour: Date
  count: number
}

/** The events of several projects, by hour. */
export async function countHourlyEvents(em: EntityManager, projectIds: number[], since: Date) {
  const { rows } = await sql<HourlyCount>`
    SELECT project_id, hour, sum(events)::bigint AS count FROM error_hourly_counts
    WHERE project_id = ANY (${projectIds}::bigint[]) AND hour >= ${since.toISOString()}
    GROUP BY project_id, hour`.execute(em.getKysely())

  return rows
}

/** The errors of several projects that are new and unresolved, by the hour in which they were first seen. */
export async function countNewGroups(em: EntityManager, projectIds: number[], since: Date) {
  const { rows } = await sql<HourlyCount>`
    SELECT project_id, date_trunc('hour', first_seen_at, 'UTC') AS hour, count(*) FROM error_groups
    WHERE project_id = ANY (${projectIds}::bigint[]) AND status = 'unresolved' AND merged_into IS NULL AND first_seen_at >= ${since.toISOString()}
    GROUP BY 1, 2`.execute(em.getKysely())

  return rows
}
