import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

/** A release of one or more projects. */
export interface SentryRelease {
  version: string
  project_ids: number[]
  first_seen_at: Date
  last_seen_at: Date
  released_at: Date | null
  url: string | null
  is_archived: boolean
}

interface Filter {
  version?: string
  isArchived?: boolean
  after?: [firstSeenAt: string, version: string]
  limit: number
}

/** Releases of any of the projects, newest first. */
export async function listReleases(em: EntityManager, projectIds: number[], { version, isArchived, after, limit }: Filter) {
  const { rows } = await sql<SentryRelease>`
    SELECT * FROM (
      SELECT version, array_agg(project_id ORDER BY project_id) AS project_ids, min(first_seen_at) AS first_seen_at,
             max(last_seen_at) AS last_seen_at, max(released_at) AS released_at, max(url) AS url, bool_and(is_archived) AS is_archived
      FROM error_releases
      WHERE project_id = ANY (${projectIds}::bigint[]) AND ${version === undefined ? sql`true` : sql`version = ${version}`}
      GROUP BY version
    ) releases
    WHERE ${isArchived === undefined ? sql`true` : sql`is_archived = ${isArchived}`}
      AND ${after ? sql`(first_seen_at, version) < (${after[0]}, ${after[1]})` : sql`true`}
    ORDER BY first_seen_at DESC, version DESC LIMIT ${limit}`.execute(em.getKysely())

  return rows
}

/** The number of errors that each release introduced; without an entry, it has no errors at all. */
export async function countErrors(em: EntityManager, projectIds: number[], versions: string[]) {
  const { rows } = await sql<{ version: string; new: number }>`
    SELECT version, count(*) FILTER (WHERE g.first_release = version) AS new
    FROM unnest(${versions}::text[]) AS version
    JOIN error_traits t ON t.project_id = ANY (${projectIds}::bigint[]) AND t.trait = 'release ' || version
    JOIN error_groups g ON g.id = t.group_id
    GROUP BY version`.execute(em.getKysely())

  return new Map(rows.map(row => [row.version, row]))
}
