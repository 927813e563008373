import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import type { RegistrySettings } from '#settings/read-registry.ts'
import { ImageRepository } from './image-repository.ts'
import { RegistryClient } from './registry-client.ts'

export async function findRepository(em: EntityManager, { id: projectId }: Project, id: number) {
  const repository = await em.findOne(ImageRepository, { id, projectId })

  if (!repository) throw new NotFound('Repository')

  return repository
}

/** Its tags can be read only while a registry is configured. */
export function clientOf(registry: RegistrySettings | undefined, { path }: ImageRepository) {
  if (!registry) throw new NotFound('Registry')

  return new RegistryClient(registry, path)
}
