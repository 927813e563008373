import { type Selectable, sql } from 'kysely'
import { type EntityManager, query, type Tables } from '#platform/database/database.ts'
import type { BundleTable } from '../../tables.ts'
import type { BundledMap } from './read-source-maps.ts'

/** An upload, as the client describes it. */
export interface BundleUpload {
  projectIds: number[]
  checksum: string
  chunks: string[]
  release: string
  dist: string
}

/** An upload is stored as one bundle per project. */
export type BundleRow = Selectable<BundleTable>

export function findBundles(em: EntityManager, { projectIds, checksum, release, dist }: BundleUpload) {
  return em
    .getKysely<Tables>()
    .selectFrom('artifact_bundles')
    .selectAll()
    .where('project_id', 'in', projectIds)
    .where('checksum', '=', checksum)
    .where('release', '=', release)
    .where('dist', '=', dist)
    .execute()
}

export async function insertBundles(em: EntityManager, userId: number, { projectIds, checksum, chunks, release, dist }: BundleUpload) {
  const rows = await query<{ id: number }>(
    em,
    `INSERT INTO artifact_bundles (project_id, user_id, checksum, release, dist, chunks)
     SELECT project_id, $2::bigint, $3, $4, $5, $6::text[] FROM unnest($1::bigint[]) AS project_id ORDER BY 1
     ON CONFLICT DO NOTHING RETURNING id`,
    [projectIds, userId, checksum, release, dist, chunks]
  )

  return rows.map(({ id }) => id)
}

/** Marks pending bundles of users who still exist as being assembled, and returns them. */
export function startAssembling(em: EntityManager, bundleIds: number[]) {
  return query<BundleRow & { user_id: number }>(
    em,
    `UPDATE artifact_bundles SET state = 'assembling'
     WHERE id = ANY ($1::bigint[]) AND state IN ('created', 'assembling') AND user_id IS NOT NULL
     RETURNING *`,
    [bundleIds]
  )
}

export async function insertMap(em: EntityManager, bundleIds: number[], { url, debugId, map, script }: BundledMap) {
  await query(
    em,
    `INSERT INTO source_maps (bundle_id, project_id, debug_id, url, map, script)
     SELECT id, project_id, $2::uuid, $3, $4::bytea, $5::bytea FROM artifact_bundles WHERE id = ANY ($1::bigint[]) ORDER BY id`,
    [bundleIds, debugId ?? null, url, map, script ?? null]
  )
}

/** Returns the ids of the bundles' projects. */
export async function finishAssembling(em: EntityManager, bundleIds: number[]) {
  const rows = await query<{ project_id: number }>(
    em,
    `UPDATE artifact_bundles b SET state = 'ok', detail = NULL, used_at = now(),
       bytes = (SELECT coalesce(sum(octet_length(map) + coalesce(octet_length(script), 0)), 0) FROM source_maps WHERE bundle_id = b.id)
     WHERE id = ANY ($1::bigint[]) RETURNING project_id`,
    [bundleIds]
  )

  return rows.map(row => row.project_id)
}

export async function failBundles(em: EntityManager, bundleIds: number[], detail: string) {
  await query(em, `UPDATE artifact_bundles SET state = 'error', detail = $2 WHERE id = ANY ($1::bigint[])`, [
    bundleIds,
    detail.slice(0, 500)
  ])
}

export async function deleteBundles(em: EntityManager, bundleIds: number[]) {
  await query(em, 'DELETE FROM artifact_bundles WHERE id = ANY ($1::bigint[])', [bundleIds])
}

/** Deletes chunks that were never assembled, failed uploads, and bundles that were not used for `retentionDays`. */
export async function deleteExpiredBundles(em: EntityManager, retentionDays: number, at: Date) {
  await query(em, `DELETE FROM artifact_chunks WHERE created_at < $1::timestamptz - interval '1 day'`, [at])
  await query(
    em,
    `DELETE FROM artifact_bundles
     WHERE (state = 'error' AND created_at < $1::timestamptz - interval '1 hour')
        OR (state IN ('created', 'assembling') AND created_at < $1::timestamptz - interval '1 day')
        OR used_at < $1::timestamptz - $2 * interval '1 day'`,
    [at, retentionDays]
  )
}

/** Deletes the least recently used bundles of projects whose bundles exceed `maxBytes`; never the most recently used one. */
export async function enforceProjectLimit(em: EntityManager, projectIds: number[], maxBytes: number) {
  await query(
    em,
    `DELETE FROM artifact_bundles WHERE id IN (
       SELECT id FROM (
         SELECT id, sum(bytes) OVER latest AS total, row_number() OVER latest AS n FROM artifact_bundles WHERE project_id = ANY ($1::bigint[]) AND state = 'ok'
         WINDOW latest AS (PARTITION BY project_id ORDER BY used_at DESC, id DESC ROWS UNBOUNDED PRECEDING)
       ) bundles WHERE total > $2 AND n > 1)`,
    [projectIds, maxBytes]
  )
}

export interface ListedBundle {
  dist: string
  state: 'created' | 'assembling' | 'ok' | 'error'
  detail: string | null
  bytes: number
  maps: number
  created_at: Date
}

/** The source-map bundles that were uploaded for a release, latest first. */
export async function listBundles(em: EntityManager, projectId: number, release: string, limit: number) {
  const { rows } = await sql<ListedBundle>`
    SELECT dist, state, detail, bytes, created_at, (SELECT count(*) FROM source_maps m WHERE m.bundle_id = b.id) AS maps
    FROM artifact_bundles b WHERE project_id = ${projectId} AND release = ${release}
    ORDER BY id DESC LIMIT ${limit}`.execute(em.getKysely())

  return rows
}
