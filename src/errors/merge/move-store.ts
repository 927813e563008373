import { byteaArray, type EntityManager, query } from '#platform/database/database.ts'

/** Events to move from one group to another: all of them after a merge, those with some hashes after an unmerge. */
export interface Move {
  id: number
  projectId: number
  fromId: number
  toId: number
  hashes: Buffer[] | null
  /** Position of the last processed event, newest first. */
  position: [occurredAt: Date | 'infinity', eventId: string]
}

/** Rows in one transaction, to keep it short. */
export const chunkSize = 5000

/** Locks the move until the transaction ends. */
export async function lockMove(em: EntityManager, id: number): Promise<Move | undefined> {
  const [row] = await query<MoveRow>(em, 'SELECT * FROM error_moves WHERE id = $1 FOR UPDATE', [id])

  return (
    row && {
      id,
      projectId: row.project_id,
      fromId: row.from_id,
      toId: row.to_id,
      hashes: row.hashes,
      position: [row.reached_at ?? 'infinity', row.reached_id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    }
  )
}

interface MoveRow {
  project_id: number
  from_id: number
  to_id: number
  hashes: Buffer[] | null
  reached_at: Date | null
  reached_id: string | null
}

export async function findMoveIds(em: EntityManager) {
  const rows = await query<{ id: number }>(em, 'SELECT id FROM error_moves ORDER BY id')

  return rows.map(({ id }) => id)
}

export async function deleteMove(em: EntityManager, id: number) {
  await query(em, 'DELETE FROM error_moves WHERE id = $1', [id])
}

/** The beginning of a statement with `chunkParams`: `chunk` has the next events, `moved` those that went to the other group. */
export const moveNextChunk = `
  chunk AS MATERIALIZED (
    SELECT event_id, day, occurred_at, hash FROM error_events
    WHERE project_id = $1 AND group_id = $2 AND (occurred_at, event_id) < ($6::timestamptz, $7::uuid)
    ORDER BY occurred_at DESC, event_id DESC LIMIT ${chunkSize}
  ), moved AS (
    UPDATE error_events e SET group_id = $3 FROM chunk
    WHERE e.project_id = $1 AND e.event_id = chunk.event_id AND e.day = chunk.day AND ($5::bytea[] IS NULL OR chunk.hash = ANY ($5))
    RETURNING e.occurred_at, e.user_hash, e.release, e.environment
  ), progress AS (
    UPDATE error_moves SET moved = moved + (SELECT count(*) FROM moved), reached_at = last.occurred_at, reached_id = last.event_id
    FROM (SELECT occurred_at, event_id FROM chunk ORDER BY 1, 2 LIMIT 1) AS last WHERE id = $4
  )`

export function chunkParams({ id, projectId, fromId, toId, hashes, position }: Move) {
  return [projectId, fromId, toId, id, hashes && byteaArray(hashes), ...position]
}
