import type { EntityManager } from '../platform/database/database.ts'
import { newRepositoryPath } from '../platform/git/storages.ts'
import { Repository, type RepositoryOwner } from './repository.ts'

/** Adds the row of a new repository. Its directory is created by the first write. */
export function addRepository(em: EntityManager, owner: RepositoryOwner, storage: string) {
  return em.create(Repository, { ...owner, storage, path: newRepositoryPath() })
}

/** Every project, group and snippet has one. */
export function findRepository(em: EntityManager, owner: RepositoryOwner) {
  return em.findOneOrFail(Repository, owner)
}
