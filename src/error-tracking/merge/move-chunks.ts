import { type EntityManager, query } from '../../platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'

/** Under which ids the events of a group lie: its own, and those of groups merged into it whose events are still on their way. */
export async function lotsOf(em: EntityManager, { id }: ErrorGroup) {
  const rows = await query<{ from_id: string }>(em, 'SELECT from_id FROM error_moves WHERE to_id = $1 AND hashes IS NULL', [id])

  return [id, ...rows.map(row => Number(row.from_id))]
}

/** How far the events are that a merge or unmerge brings to a group or takes from it; nothing when all are where they belong. */
export async function progressOf(em: EntityManager, { id }: ErrorGroup) {
  const [row] = await query<{ moved: string | null; total: string | null }>(
    em,
    `SELECT sum(moved) AS moved, CASE WHEN bool_and(total IS NOT NULL) THEN sum(total) END AS total
     FROM error_moves WHERE from_id = $1 OR to_id = $1`,
    [id]
  )

  return row!.moved === null ? undefined : { moved: Number(row!.moved), total: row!.total === null ? null : Number(row!.total) }
}
