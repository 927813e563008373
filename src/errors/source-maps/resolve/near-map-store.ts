import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import type { ScriptReference } from './resolve-event.ts'
import { uploadedUrls } from './source-urls.ts'

/** The uploads of a release, beside the source map of a script. */
export interface NearMaps {
  hasBundles: boolean
  /** Dists for which a map of this URL is uploaded; the event has another dist. */
  dists: string[]
  /** Other URLs with the file name of the script. */
  urls: string[]
}

/** The latest ones: earlier bundles of a release have the same files. */
const maxBundles = 5
const maxFound = 10

/** Finds source maps of the release that differ from the script's by their dist or URL. */
export async function findNearMaps(em: EntityManager, projectId: number, { url, release }: ScriptReference): Promise<NearMaps> {
  if (!release) return { hasBundles: false, dists: [], urls: [] }
  const scriptUrls = uploadedUrls(url)
  const file = `/${url.slice(url.lastIndexOf('/') + 1)}`
  const { rows } = await sql<{ dist: string; url: string | null }>`
    WITH bundles AS (
      SELECT id, dist FROM artifact_bundles
      WHERE project_id = ${projectId} AND release = ${release} AND state = 'ok' ORDER BY id DESC LIMIT ${maxBundles}
    )
    SELECT DISTINCT b.dist, m.url FROM bundles b
    LEFT JOIN source_maps m ON m.bundle_id = b.id AND (m.url = ANY (${scriptUrls}::text[]) OR right(m.url, ${file.length}) = ${file})
    ORDER BY 1, 2 LIMIT ${maxFound}`.execute(em.getKysely())
  const matching = rows.filter(row => row.url !== null && scriptUrls.includes(row.url))

  return {
    hasBundles: rows.length > 0,
    dists: [...new Set(matching.map(({ dist }) => dist))],
    urls: [...new Set(rows.flatMap(row => (row.url === null || scriptUrls.includes(row.url) ? [] : [row.url])))]
  }
}
