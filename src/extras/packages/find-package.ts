import type { FilterQuery } from '@mikro-orm/core'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import { Package, PackageFile } from './package.ts'

export async function findPackage(em: EntityManager, { id }: Project, where: FilterQuery<Package>) {
  const found = await em.findOne(Package, { $and: [{ projectId: id }, where] } as FilterQuery<Package>)

  if (!found) throw new NotFound('Package')

  return found
}

/** The latest file of a name. */
export async function findFile(em: EntityManager, { id }: Package, where: FilterQuery<PackageFile>) {
  const file = await em.findOne(PackageFile, { $and: [{ packageId: id }, where] } as FilterQuery<PackageFile>, { orderBy: { id: 'desc' } })

  if (!file) throw new NotFound('Package file')

  return file
}
