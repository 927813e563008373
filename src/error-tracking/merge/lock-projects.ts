import { type EntityManager, query } from '../../platform/database/database.ts'

/**
 * Of these projects, those that are there. Until the transaction ends their hashes stay with the groups they are with:
 * batches hold a project together, and who sorts its groups anew waits for them and keeps the next ones waiting.
 */
export async function holdProjects(em: EntityManager, ids: Iterable<number>) {
  const sorted = [...new Set(ids)].sort((a, b) => a - b)

  if (sorted.length === 0) return new Set<number>()
  const rows = await query<{ id: string; is_there: boolean }>(
    em,
    `SELECT id, pg_advisory_xact_lock_shared(${lockOf('id')}), EXISTS (SELECT FROM projects p WHERE p.id = wanted.id) AS is_there
     FROM unnest($1::bigint[]) AS wanted (id)`,
    [sorted]
  )

  return new Set(rows.filter(row => row.is_there).map(({ id }) => Number(id)))
}

/** The other side of it: alone with the groups of a project until the transaction ends. To be kept short. */
export async function claimProject(em: EntityManager, id: number) {
  await query(em, `SELECT pg_advisory_xact_lock(${lockOf('$1')})`, [id])
}

function lockOf(id: string) {
  return `hashtextextended(current_schema() || ' error groups of ' || ${id}::bigint, 0)`
}
