import type { EntityManager } from '../platform/database/database.ts'
import type { Namespace } from './namespace.ts'
import { deleteStaleRedirects, moveDescendants, redirectNamespace } from './path-store.ts'
import { changePath, checkPath, checkTopLevelPath } from './paths.ts'

/**
 * Changes the path of a group or personal namespace and of everything in it, and redirects the former paths.
 * The caller's transaction has locked the paths, then loaded the namespace.
 */
export async function renameNamespace(em: EntityManager, namespace: Namespace, path: string) {
  const { id, fullPath: from } = namespace
  const to = `${from.slice(0, from.length - namespace.path.length)}${path}`

  if (to.includes('/')) checkPath(path)
  else checkTopLevelPath(path)
  await changePath(em, from, to)
  await redirectNamespace(em, id)
  namespace.path = path
  namespace.fullPath = to
  await em.flush()
  await deleteStaleRedirects(em, await moveDescendants(em, id, from, to))
}
