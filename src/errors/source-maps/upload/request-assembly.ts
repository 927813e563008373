import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type BundleRow, type BundleUpload, findBundles, insertBundles } from './bundle-store.ts'
import { findChunkSizes, lockChunks } from './chunk-store.ts'

export interface AssembleStatus {
  state: 'not_found' | BundleRow['state']
  missingChunks: string[]
  detail?: string
  /** Ids of the bundles that are still to be assembled. */
  pending: number[]
}

/** Returns the status of an upload. Once all its chunks are stored, creates a bundle for each project. */
export async function requestAssembly(em: EntityManager, user: Viewer, upload: BundleUpload, maxBytes: number): Promise<AssembleStatus> {
  return em.transactional(async em => {
    await lockChunks(em, user.id)
    const bundles = await findBundles(em, upload)
    const projectIds = upload.projectIds.filter(id => !bundles.some(bundle => bundle.project_id === id))

    if (projectIds.length === 0) return statusOf(bundles)
    const sizes = await findChunkSizes(em, user.id, upload.chunks)
    const missingChunks = upload.chunks.filter(checksum => !sizes.has(checksum))
    const bytes = upload.chunks.reduce((sum, checksum) => sum + (sizes.get(checksum) ?? 0), 0)

    if (missingChunks.length > 0) return { state: 'not_found', missingChunks, pending: [] }
    if (bytes > maxBytes) return failed(`The bundle has ${bytes} bytes; ${maxBytes} are allowed`)

    return { state: 'created', missingChunks: [], pending: await insertBundles(em, user.id, { ...upload, projectIds }) }
  })
}

/** The status of the slowest bundle, or of one that failed. */
function statusOf(bundles: BundleRow[]): AssembleStatus {
  const broken = bundles.find(({ state }) => state === 'error')
  const pending = bundles.filter(({ state }) => state === 'created' || state === 'assembling')

  if (broken) return failed(broken.detail ?? 'The bundle could not be read')

  return { state: pending[0]?.state ?? 'ok', missingChunks: [], pending: pending.map(({ id }) => id) }
}

function failed(detail: string): AssembleStatus {
  return { state: 'error', missingChunks: [], detail, pending: [] }
}
