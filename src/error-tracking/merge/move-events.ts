import { type EntityManager, query } from '../../platform/database/database.ts'
import { followMerged } from './update-merged-groups.ts'
import { followSplit } from './update-split-groups.ts'

/** Events on their way from one group to another: all of them after a merge, those of some hashes after an unmerge. */
export interface Move {
  id: number
  projectId: number
  fromId: number
  toId: number
  hashes: Buffer[] | null
  /** The events from the newest down to this one were looked at. */
  reached: [occurredAt: string, eventId: string]
}

/** Brings what is on its way to where it belongs. Cut short, it goes on where it was; where nothing is left, it does nothing. */
export async function finishMoves(em: EntityManager, signal?: AbortSignal) {
  const rows = await query<{ id: string }>(em, 'SELECT id FROM error_moves ORDER BY id')

  for (const { id } of rows) await finishMove(em, Number(id), signal)
}

export async function finishMove(em: EntityManager, id: number, signal?: AbortSignal) {
  while (await takeStep(em, id)) signal?.throwIfAborted()
}

/** Whether more is left to do. Two workers with the same move take turns. */
function takeStep(em: EntityManager, id: number) {
  return em.transactional(async em => {
    const move = await lockMove(em, id)
    if (!move) return false
    const isLast = await (move.hashes ? followSplit(em, move) : followMerged(em, move))

    if (isLast) await query(em, 'DELETE FROM error_moves WHERE id = $1', [id])

    return !isLast
  })
}

async function lockMove(em: EntityManager, id: number): Promise<Move | undefined> {
  const [row] = await query<MoveRow>(em, 'SELECT * FROM error_moves WHERE id = $1 FOR UPDATE', [id])

  return (
    row && {
      id,
      projectId: Number(row.project_id),
      fromId: Number(row.from_id),
      toId: Number(row.to_id),
      hashes: row.hashes,
      reached: [row.reached_at ?? 'infinity', row.reached_id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    }
  )
}

interface MoveRow {
  project_id: string
  from_id: string
  to_id: string
  hashes: Buffer[] | null
  reached_at: string | null
  reached_id: string | null
}
