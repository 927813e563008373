import { sql } from 'kysely'
import { isPathFree } from '#namespaces/path-store.ts'
import type { EntityManager } from '#platform/database/database.ts'

const suffixOf = (id: number) => `-deletion_scheduled-${id}`
const maxLength = 255

interface Marked {
  id: number
  path: string
  fullPath: string
}

/** The path that frees the former one for others. A path that has no room for the suffix stays. */
export function markedPath({ id, path }: Marked) {
  const marked = `${path}${suffixOf(id)}`

  return marked.length > maxLength ? path : marked
}

/** The path before the mark, and the same as a full path. */
export function formerPaths({ id, path, fullPath }: Marked) {
  const suffix = suffixOf(id)

  return path.endsWith(suffix) ? { path: path.slice(0, -suffix.length), fullPath: fullPath.slice(0, -suffix.length) } : { path, fullPath }
}

/** The former path, unless something else took it. The caller has locked the paths. */
export async function restoredPath(em: EntityManager, marked: Marked) {
  const former = formerPaths(marked)

  return former.path === marked.path || (await isPathFree(em, former.fullPath)) ? former.path : `${former.path}-${marked.id}`
}

/** A row of `projects` or `namespaces` was marked for deletion on this day (UTC). */
export function isMarkedOn(alias: string, day: string) {
  return sql`(${sql.ref(`${alias}.marked_for_deletion_at`)} AT TIME ZONE 'UTC')::date = ${day}::date`
}

/** The day of a mark. */
export function markDay(at: Date | string | null | undefined) {
  return at ? new Date(at).toISOString().slice(0, 10) : null
}
