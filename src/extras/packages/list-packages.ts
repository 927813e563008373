import type { FilterQuery } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { containing } from '#platform/database/filter.ts'
import type { Rows } from '#platform/database/list.ts'
import { entityRows } from '#platform/database/list.ts'
import { Package, PackageFile, type PackageStatus } from './package.ts'

export const packageOrders = { created_at: 'id', name: 'name', version: 'version', type: 'type', project_path: 'projectId' } as const

export interface PackageFilter {
  projectIds: number[]
  type?: string | undefined
  name?: string | undefined
  version?: string | undefined
  status?: PackageStatus | undefined
  orderBy?: keyof typeof packageOrders | undefined
  sort?: 'asc' | 'desc' | undefined
}

export function listPackages(em: EntityManager, filter: PackageFilter): Rows<Package> {
  const { projectIds, type, name, version, status = 'default', orderBy = 'created_at', sort = 'asc' } = filter
  const where = {
    projectId: { $in: projectIds },
    status,
    ...(type !== undefined && { type }),
    ...(name && { name: { $ilike: containing(name) } }),
    ...(version && { version })
  } as FilterQuery<Package>

  return entityRows(em, Package, where, { orderBy: [{ [packageOrders[orderBy]]: sort }, { id: sort }] })
}

export function listFiles(em: EntityManager, { id }: Package): Rows<PackageFile> {
  const where = { packageId: id }

  return entityRows(em, PackageFile, where)
}
