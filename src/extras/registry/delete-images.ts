import type { EntityManager } from '#platform/database/database.ts'
import type { RegistrySettings } from '#settings/read-registry.ts'
import { ImageRepository } from './image-repository.ts'
import { RegistryClient } from './registry-client.ts'

const perRun = 20

/** Deletes the images, then the row. It goes on where an earlier run stopped. */
export async function deleteImagesOfDeleted(em: EntityManager, registry: RegistrySettings | undefined, signal: AbortSignal) {
  if (!registry) return
  const repositories = await em.find(
    ImageRepository,
    { $or: [{ isDeleting: true }, { projectId: null }] },
    { orderBy: { id: 'asc' }, limit: perRun }
  )

  for (const { id, path } of repositories) {
    await deleteImages(new RegistryClient(registry, path), signal)
    signal.throwIfAborted()
    await em.nativeDelete(ImageRepository, { id })
  }
}

async function deleteImages(client: RegistryClient, signal: AbortSignal) {
  for (const tag of await client.listTags()) {
    signal.throwIfAborted()
    const manifest = await client.findManifest(tag)

    if (manifest) await client.deleteManifest(manifest.digest)
  }
}
