import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'

/** The reason why a release cannot be deleted. */
export async function findReference(em: EntityManager, ids: number[], version: string) {
  const { rows } = await sql<{ reason: string | null }>`
    SELECT CASE
      WHEN EXISTS (SELECT FROM error_traits WHERE project_id = ANY (${ids}::bigint[]) AND trait = ${`release ${version}`})
        THEN 'the release has errors'
      WHEN EXISTS (SELECT FROM error_sessions WHERE project_id = ANY (${ids}::bigint[]) AND release = ${version})
        THEN 'the release has sessions'
      WHEN EXISTS (SELECT FROM artifact_bundles WHERE project_id = ANY (${ids}::bigint[]) AND release = ${version})
        THEN 'the release has source maps'
    END AS reason`.execute(em.getKysely())

  return rows[0]?.reason
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

interface ReleaseWithHealth {
  id: number
  projectId: number
  version: string
  environments: string[] | null
  started: number | null
  crashed: number | null
}

/** With their sessions of this hour and the one before. */
export function findReleasesWithHealth(em: EntityManager, ids: number[]) {
  return query<ReleaseWithHealth>(
    em,
    `SELECT r.id, r.project_id AS "projectId", r.version, s.* FROM error_releases r CROSS JOIN LATERAL (
       SELECT array_agg(DISTINCT environment) AS environments, sum(started)::bigint AS started, sum(crashed)::bigint AS crashed
       FROM error_sessions WHERE project_id = r.project_id AND release = r.version AND hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'
     ) s WHERE r.id = ANY ($1::bigint[])`,
    [ids]
  )
}
