import type { EntityManager } from '#platform/database/database.ts'
import { newRepositoryPath } from '#platform/git/storages.ts'
import { Repository, type RepositoryOwner } from './repository.ts'

/** Where a repository lies, or is to lie. */
export type RepositoryLocation = { storage: string } & Partial<Pick<Repository, 'path' | 'isInitialized' | 'writtenAt'>>

/** Adds the row of a new repository. Its directory is created by the first write, unless it is initialized. */
export function addRepository(em: EntityManager, owner: RepositoryOwner, location: RepositoryLocation) {
  return em.create(Repository, { path: newRepositoryPath(), ...owner, ...location })
}

/** Every project, group and snippet has one. A row that is missing, because an older release created the owner, is added. */
export async function findRepository(em: EntityManager, owner: RepositoryOwner) {
  return (await em.findOne(Repository, owner)) ?? addMissing(em, owner)
}

async function addMissing(em: EntityManager, owner: RepositoryOwner) {
  const [newest] = await em.find(Repository, {}, { orderBy: { id: 'desc' }, limit: 1 })
  const row = { ...owner, storage: newest?.storage ?? 'default', path: newRepositoryPath() }
  const onConflictFields = Object.keys(owner) as (keyof Repository)[]

  await em.fork().upsert(Repository, row, { onConflictFields, onConflictAction: 'ignore' })

  return em.findOneOrFail(Repository, owner)
}
