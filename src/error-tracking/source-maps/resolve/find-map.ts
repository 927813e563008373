import { type EntityManager, query } from '../../../platform/database/database.ts'
import type { StoredTexts } from './map-decoder.ts'
import type { Script } from './resolve-event.ts'
import { uploadAddresses } from './source-urls.ts'

export async function hasMaps(em: EntityManager, projectId: number) {
  const [row] = await query<{ found: boolean }>(
    em,
    `SELECT EXISTS (SELECT FROM artifact_bundles WHERE project_id = $1 AND state = 'ok') AS found`,
    [projectId]
  )

  return row!.found
}

export async function findByDebugId(em: EntityManager, projectId: number, debugId: string) {
  const [row] = await query<MapRow>(
    em,
    'SELECT bundle_id, map, script FROM source_maps WHERE project_id = $1 AND debug_id = $2 ORDER BY id DESC LIMIT 1',
    [projectId, debugId]
  )

  return row && takeOut(em, row)
}

/** The latest of a script's address in its release; of the event's `dist` first. */
export async function findByRelease(em: EntityManager, projectId: number, { address, release, dist = '' }: Script) {
  const [row] = await query<MapRow>(
    em,
    `SELECT m.bundle_id, m.map, m.script FROM source_maps m JOIN artifact_bundles b ON b.id = m.bundle_id
     WHERE m.project_id = $1 AND m.url = ANY ($2) AND b.release = $3 AND b.dist IN ($4, '')
     ORDER BY b.dist = $4 DESC, m.id DESC LIMIT 1`,
    [projectId, uploadAddresses(address), release, dist]
  )

  return row && takeOut(em, row)
}

interface MapRow {
  bundle_id: string
  map: Buffer
  script: Buffer | null
}

async function takeOut(em: EntityManager, { bundle_id, map, script }: MapRow): Promise<StoredTexts> {
  await markUsed(em, bundle_id)

  return { map, script: script ?? undefined }
}

/** Written at most once a day: reading must not turn into writing. */
function markUsed(em: EntityManager, bundleId: string) {
  return query(em, `UPDATE artifact_bundles SET used_at = now() WHERE id = $1 AND used_at < now() - interval '1 day'`, [bundleId])
}
