import { type EntityManager, query } from '#platform/database/database.ts'
import type { Package, PackageStatus } from './package.ts'

/** Measures all packages of a project. */
export async function measurePackages(em: EntityManager, projectId: number) {
  const [row] = await query<{ bytes: number; files: number }>(
    em,
    'SELECT coalesce(sum(size), 0)::bigint AS bytes, count(*) AS files FROM package_files WHERE project_id = $1',
    [projectId]
  )

  return row!
}

export interface NewPackage extends Pick<Package, 'projectId' | 'type' | 'name' | 'version'> {
  /** A package that exists has its own, unless one is given. */
  status: PackageStatus | undefined
  creatorId: number
}

/** Returns the id of the new package, or of that which exists. Locks it until the end of the transaction. */
export async function upsertPackage(em: EntityManager, { projectId, type, name, version, status, creatorId }: NewPackage) {
  const [row] = await query<{ id: number }>(
    em,
    `INSERT INTO packages AS p (project_id, type, name, version, status, creator_id)
     VALUES ($1, $2, $3, $4, coalesce($5, 'default'), $6)
     ON CONFLICT (project_id, type, name, version) DO UPDATE SET status = coalesce($5, p.status)
     RETURNING id`,
    [projectId, type, name, version, status ?? null, creatorId]
  )

  return row!.id
}

/** The latest pipeline of each of several packages that were published by one. */
export async function latestPipelineIds(em: EntityManager, packageIds: number[]) {
  const rows = await query<{ package: number; pipeline: number }>(
    em,
    `SELECT package_id AS package, max(pipeline_id) AS pipeline FROM package_files
     WHERE package_id = ANY ($1) AND pipeline_id IS NOT NULL GROUP BY package_id`,
    [packageIds]
  )

  return new Map(rows.map(row => [row.package, row.pipeline]))
}

/** Once an hour is enough. */
export async function rememberDownload(em: EntityManager, packageId: number, at: Date) {
  await query(
    em,
    `UPDATE packages SET last_downloaded_at = $2
     WHERE id = $1 AND (last_downloaded_at IS NULL OR last_downloaded_at < $2::timestamptz - interval '1 hour')`,
    [packageId, at]
  )
}
