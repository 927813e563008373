import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

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
