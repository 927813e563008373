import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { ImageRepository } from './image-repository.ts'

export function listRepositories(em: EntityManager, projectIds: number[]) {
  const where = { projectId: { $in: projectIds } }

  return entityRows(em, ImageRepository, where)
}
