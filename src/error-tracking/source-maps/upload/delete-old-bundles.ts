import { type EntityManager, query } from '../../../platform/database/database.ts'

/** Removes what nothing uses any more: chunks whose bundle never came, uploads that failed, maps that no event needed for long. */
export async function sweep(em: EntityManager, keepDays: number, at: Date) {
  await query(em, `DELETE FROM artifact_chunks WHERE created_at < $1::timestamptz - interval '1 day'`, [at])
  await query(
    em,
    `DELETE FROM artifact_bundles
     WHERE (state = 'error' AND created_at < $1::timestamptz - interval '1 hour')
        OR (state IN ('created', 'assembling') AND created_at < $1::timestamptz - interval '1 day')
        OR used_at < $1::timestamptz - $2 * interval '1 day'`,
    [at, keepDays]
  )
}

/** Of projects whose maps take too much room, those that were used longest ago go; never the latest. */
export async function trimProjects(em: EntityManager, projectIds: number[], mostBytes: number) {
  await query(
    em,
    `DELETE FROM artifact_bundles WHERE id IN (
       SELECT id FROM (
         SELECT id, sum(bytes) OVER latest AS total, row_number() OVER latest AS n FROM artifact_bundles WHERE project_id = ANY ($1::bigint[]) AND state = 'ok'
         WINDOW latest AS (PARTITION BY project_id ORDER BY used_at DESC, id DESC ROWS UNBOUNDED PRECEDING)
       ) kept WHERE total > $2 AND n > 1)`,
    [projectIds, mostBytes]
  )
}
