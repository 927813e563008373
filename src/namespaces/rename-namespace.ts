import { type EntityManager, query } from '../platform/database/database.ts'
import type { Namespace } from './namespace.ts'
import { changePath, checkPath, checkTopLevelPath, lockPaths } from './paths.ts'
import { createRedirects, deleteStaleRedirects } from './redirects.ts'

/**
 * Changes the path of a group or personal namespace and of everything in it, and redirects the former paths.
 * Must run in a transaction.
 */
export async function renameNamespace(em: EntityManager, namespace: Namespace, path: string) {
  await lockPaths(em)
  await em.refresh(namespace)
  const { id, fullPath: from } = namespace
  const to = `${from.slice(0, from.length - namespace.path.length)}${path}`

  if (to.includes('/')) checkPath(path)
  else checkTopLevelPath(path)
  await changePath(em, from, to)
  await createRedirects(em, 'group_id', `SELECT full_path, id FROM namespaces WHERE ${isNamespaceWithin}`, [id])
  await createRedirects(em, 'project_id', `SELECT full_path, id FROM projects WHERE ${isProjectWithin}`, [id])
  namespace.path = path
  namespace.fullPath = to
  await em.flush()
  await deleteStaleRedirects(em, await moveDescendants(em, id, from, to))
}

const isNamespaceWithin = 'lineage @> ARRAY[$1::bigint]'
const isProjectWithin = `namespace_id IN (SELECT id FROM namespaces WHERE ${isNamespaceWithin})`

/** Returns every path that is now in use. */
async function moveDescendants(em: EntityManager, id: number, from: string, to: string) {
  const change = `SET full_path = $3::text || substr(full_path, length($2::text) + 1), updated_at = now()`
  const rows = await query<{ full_path: string }>(
    em,
    `WITH moved_groups AS (UPDATE namespaces ${change} WHERE ${isNamespaceWithin} AND id <> $1 RETURNING full_path),
          moved_projects AS (UPDATE projects ${change} WHERE ${isProjectWithin} RETURNING full_path)
     SELECT full_path FROM moved_groups UNION ALL SELECT full_path FROM moved_projects`,
    [id, from, to]
  )

  return [to, ...rows.map(row => row.full_path)]
}
