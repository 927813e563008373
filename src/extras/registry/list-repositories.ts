import type { EntityManager } from '#platform/database/database.ts'
import { ImageRepository } from './image-repository.ts'

export function listRepositories(em: EntityManager, projectIds: number[]) {
  const where = { projectId: { $in: projectIds } }

  return {
    list: (limit: number, offset: number) => em.find(ImageRepository, where, { orderBy: { id: 'asc' }, limit, offset }),
    count: () => em.fork().count(ImageRepository, where)
  }
}
