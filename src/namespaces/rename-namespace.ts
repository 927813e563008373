import type { EntityManager } from '#platform/database/database.ts'
import type { Namespace } from './namespace.ts'
import { deleteStaleRedirects, moveDescendants, redirectNamespace, replaceLineage } from './path-store.ts'
import { changePath, checkPath, checkTopLevelPath } from './paths.ts'

interface Move {
  path?: string
  /** The new parent of a group; null for a top-level group. */
  parent?: Namespace | null
}

/**
 * Changes the path or the parent of a group or personal namespace with everything in it, and redirects the former paths.
 * The caller's transaction has locked the paths, then loaded the namespace.
 */
export async function moveNamespace(em: EntityManager, namespace: Namespace, { path = namespace.path, parent }: Move) {
  const { id, fullPath: from } = namespace
  const above = parent === undefined ? from.slice(0, from.length - namespace.path.length) : parent ? `${parent.fullPath}/` : ''
  const to = `${above}${path}`

  if (to.includes('/')) checkPath(path)
  else checkTopLevelPath(path)
  await changePath(em, from, to)
  await redirectNamespace(em, id)
  namespace.path = path
  namespace.fullPath = to
  if (parent !== undefined) namespace.parent = parent
  await em.flush()
  if (parent !== undefined) await replaceLineage(em, namespace, parent?.lineage ?? [])
  await deleteStaleRedirects(em, await moveDescendants(em, id, from, to))
}
