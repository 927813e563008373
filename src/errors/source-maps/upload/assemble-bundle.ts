import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { Config } from '#config.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { deleteBundles, enforceProjectLimit, failBundles, finishAssembling, insertMap, startAssembling } from './bundle-store.ts'
import { deleteUnusedChunks, joinChunks } from './chunk-store.ts'
import { type BundledMap, readSourceMaps } from './read-source-maps.ts'
import { InvalidBundle } from './zip.ts'

/** Stores the source maps of an upload for each of its projects, all or none. Does nothing for bundles that are assembled. */
export async function assembleBundle(em: EntityManager, bundleIds: number[], config: Config) {
  const bundles = await startAssembling(em, bundleIds)
  const [upload] = bundles

  if (!upload) return
  const ids = bundles.map(({ id }) => id)
  const userId = upload.user_id
  const bytes = await joinChunks(em, userId, upload.chunks)

  // Chunks expired: the client's next request starts again with the missing ones.
  if (!bytes) return deleteBundles(em, ids)
  try {
    if (hash('sha1', bytes) !== upload.checksum) throw new InvalidBundle("The bundle's checksum is not that of its chunks together")
    await em.transactional(em => storeMaps(em, ids, readSourceMaps(bytes, config.artifacts.bundleBytes), config))
  } catch (error) {
    if (!(error instanceof InvalidBundle)) throw error
    await failBundles(em, ids, error.message)
  }
  await deleteUnusedChunks(em, userId, upload.chunks)
}

const compress = promisify(zstdCompress)

async function storeMaps(em: EntityManager, bundleIds: number[], maps: AsyncIterable<BundledMap>, config: Config) {
  for await (const bundled of maps) {
    const [map, script] = [await compress(bundled.map), bundled.script && (await compress(bundled.script))]

    await insertMap(em, bundleIds, { ...bundled, map, script })
  }
  const projectIds = await finishAssembling(em, bundleIds)

  await enforceProjectLimit(em, projectIds, config.artifacts.projectBytes)
  for (const projectId of projectIds) await invalidateCache(em, config, 'source-maps', String(projectId))
}
