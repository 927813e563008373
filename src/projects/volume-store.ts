import { type RawBuilder, sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import type { Rows } from '#platform/database/list.ts'

/** What a project, or all projects of a group, received in the last days. */
export interface Volume {
  id: number
  name: string
  full_path: string
  stored: number
  dropped: number
  alerts: number
  last_activity_at: string | null
}

/** All projects, those that received most first. */
export function projectsByVolume(em: EntityManager, days: number): Rows<Volume> {
  return byVolume(
    em,
    days,
    sql`SELECT p.id, p.name, p.full_path, p.id AS project_id, p.last_activity_at FROM projects p`,
    sql`SELECT FROM projects`
  )
}

/** All groups with the projects in them and below, those that received most first. */
export function groupsByVolume(em: EntityManager, days: number): Rows<Volume> {
  return byVolume(
    em,
    days,
    sql`SELECT g.id, g.name, g.full_path, p.id AS project_id, p.last_activity_at
      FROM namespaces g
      LEFT JOIN namespaces n ON n.lineage @> ARRAY[g.id]
      LEFT JOIN projects p ON p.namespace_id = n.id
      WHERE g.kind = 'group'`,
    sql`SELECT FROM namespaces WHERE kind = 'group'`
  )
}

function byVolume(em: EntityManager, days: number, members: RawBuilder<unknown>, all: RawBuilder<unknown>): Rows<Volume> {
  const db = em.getKysely()

  return {
    async list(limit, offset = 0) {
      const { rows } = await sql<Volume>`
        WITH members AS (${members}), volumes AS (${volumesOf(days)})
        SELECT m.id, m.name, m.full_path, coalesce(sum(v.stored), 0)::bigint AS stored, coalesce(sum(v.dropped), 0)::bigint AS dropped,
          coalesce(sum(v.alerts), 0)::bigint AS alerts, max(m.last_activity_at) AS last_activity_at
        FROM members m LEFT JOIN volumes v USING (project_id)
        GROUP BY m.id, m.name, m.full_path
        ORDER BY coalesce(sum(v.stored + v.dropped + v.alerts), 0) DESC, m.id
        LIMIT ${limit} OFFSET ${offset}`.execute(db)

      return rows
    },
    async count() {
      const { rows } = await sql<{ count: number }>`SELECT count(*) FROM (${all}) a`.execute(db)

      return rows[0]!.count
    }
  }
}

function volumesOf(days: number) {
  const since = sql`(now() AT TIME ZONE 'UTC')::date - ${days - 1}::int`

  return sql`
    SELECT project_id, sum(stored) AS stored, sum(dropped) AS dropped, sum(alerts) AS alerts
    FROM (
      SELECT project_id, items AS stored, 0 AS dropped, 0 AS alerts FROM error_stored_counts WHERE day >= ${since}
      UNION ALL SELECT project_id, 0, items, 0 FROM error_dropped_counts WHERE day >= ${since}
      UNION ALL SELECT project_id, 0, 0, count(*) FROM alerts WHERE started_at >= ${since} GROUP BY project_id
    ) counts
    GROUP BY project_id`
}
