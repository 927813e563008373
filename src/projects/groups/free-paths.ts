import { sql } from 'kysely'
import { isReservedPath } from '#namespaces/paths.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { escapeLike } from '#platform/database/filter.ts'

/** Whether a user or group has this path at the top level, or a group in the parent; and if so, a path that is free. */
export async function checkPathIsFree(em: EntityManager, path: string, parentId: number | undefined) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('namespaces')
    .select('path')
    .where('parent_id', 'is not distinct from', parentId ?? null)
    .where('path', 'ilike', `${escapeLike(path)}%`)
    .orderBy(sql`length(path)`)
    .orderBy('path')
    .limit(1000)
    .execute()
  const paths = new Set(rows.map(row => row.path.toLowerCase()))
  const isFree = (name: string) => !paths.has(name.toLowerCase()) && (parentId !== undefined || !isReservedPath(name))

  return isFree(path) ? { exists: false, suggests: [] } : { exists: true, suggests: [findFree(path, isFree)] }
}

function findFree(path: string, isFree: (path: string) => boolean) {
  let number = 1

  while (!isFree(`${path}${number}`)) number++

  return `${path}${number}`
}
