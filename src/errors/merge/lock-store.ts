import { type EntityManager, query } from '#platform/database/database.ts'

/**
 * Locks the error groups of projects against merging until the transaction ends, and returns the projects that exist.
 * Batches share the lock; a merge or unmerge holds it exclusively.
 */
export async function lockProjectsShared(em: EntityManager, ids: number[]) {
  const sorted = [...new Set(ids)].sort((a, b) => a - b)

  if (sorted.length === 0) return new Set<number>()
  const rows = await query<{ id: number; exists: boolean }>(
    em,
    `SELECT id, pg_advisory_xact_lock_shared(${lockOf('id')}), EXISTS (SELECT FROM projects p WHERE p.id = given.id)
     FROM unnest($1::bigint[]) AS given (id)`,
    [sorted]
  )

  return new Set(rows.filter(row => row.exists).map(({ id }) => id))
}

/** Waits for all batches of the project and blocks new ones until the transaction ends: keep it short. */
export async function lockProject(em: EntityManager, id: number) {
  await query(em, `SELECT pg_advisory_xact_lock(${lockOf('$1')})`, [id])
}

function lockOf(id: string) {
  return `hashtextextended(current_schema() || ' error groups of ' || ${id}::bigint, 0)`
}
