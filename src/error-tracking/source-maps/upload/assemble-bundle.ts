import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { Config } from '../../../config.ts'
import { invalidateCache } from '../../../platform/cache/invalidate-cache.ts'
import { type EntityManager, query } from '../../../platform/database/database.ts'
import { type BundledMap, readMaps } from '../resolve/bundled-maps.ts'
import { dropChunks, joinChunks } from './chunk.ts'
import { trimProjects } from './delete-old-bundles.ts'
import { InvalidBundle } from './zip.ts'

interface Waiting {
  id: string
  user_id: string
  checksum: string
  chunks: string[]
}

/**
 * Makes of an upload's chunks the maps of its projects. They are there all at once or not at all; and bundles that are done
 * are not done again.
 */
export async function assemble(em: EntityManager, bundleIds: number[], config: Config) {
  const bundles = await query<Waiting>(
    em,
    `UPDATE artifact_bundles SET state = 'assembling'
     WHERE id = ANY ($1::bigint[]) AND state IN ('created', 'assembling') AND user_id IS NOT NULL
     RETURNING id, user_id, checksum, chunks`,
    [bundleIds]
  )
  const [first] = bundles

  if (!first) return
  const ids = bundles.map(({ id }) => Number(id))
  const bytes = await joinChunks(em, Number(first.user_id), first.chunks)

  // Swept meanwhile: whoever asks next is told which to upload.
  if (!bytes) return query(em, 'DELETE FROM artifact_bundles WHERE id = ANY ($1::bigint[])', [ids])
  try {
    if (hash('sha1', bytes) !== first.checksum) throw new InvalidBundle("The bundle's checksum is not that of its chunks together")
    await em.transactional(em => store(em, ids, readMaps(bytes, config.artifacts.bundleBytes), config))
  } catch (error) {
    if (!(error instanceof InvalidBundle)) throw error
    await query(em, `UPDATE artifact_bundles SET state = 'error', detail = $2 WHERE id = ANY ($1::bigint[])`, [
      ids,
      error.message.slice(0, 500)
    ])
  }
  await dropChunks(em, Number(first.user_id), first.chunks)
}

async function store(em: EntityManager, bundleIds: number[], maps: AsyncIterable<BundledMap>, config: Config) {
  for await (const map of maps) await storeMap(em, bundleIds, map)
  const rows = await query<{ project_id: string }>(
    em,
    `UPDATE artifact_bundles b SET state = 'ok', detail = NULL, used_at = now(),
       bytes = (SELECT coalesce(sum(octet_length(map) + coalesce(octet_length(script), 0)), 0) FROM source_maps WHERE bundle_id = b.id)
     WHERE id = ANY ($1::bigint[]) RETURNING project_id`,
    [bundleIds]
  )
  const projectIds = rows.map(row => Number(row.project_id))

  await trimProjects(em, projectIds, config.artifacts.projectBytes)
  for (const projectId of projectIds) await invalidateCache(em, config, 'source-maps', String(projectId))
}

const compress = promisify(zstdCompress)

async function storeMap(em: EntityManager, bundleIds: number[], { url, debugId, map, script }: BundledMap) {
  await query(
    em,
    `INSERT INTO source_maps (bundle_id, project_id, debug_id, url, map, script)
     SELECT id, project_id, $2::uuid, $3, $4::bytea, $5::bytea FROM artifact_bundles WHERE id = ANY ($1::bigint[]) ORDER BY id`,
    [bundleIds, debugId ?? null, url, await compress(map), script ? await compress(script) : null]
  )
}
