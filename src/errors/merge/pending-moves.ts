import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'

/** The group ids of a group's stored events: its own, and those of merged groups with pending moves. */
export async function findEventGroupIds(em: EntityManager, { id }: ErrorGroup) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('error_moves')
    .select('from_id')
    .where('to_id', '=', id)
    .where('hashes', 'is', null)
    .execute()

  return [id, ...rows.map(row => row.from_id)]
}

/** Progress of the pending moves from or to a group; undefined if there are none. */
export async function findMoveProgress(em: EntityManager, { id }: ErrorGroup) {
  const moves = await em
    .getKysely<Tables>()
    .selectFrom('error_moves')
    .select(['moved', 'total'])
    .where(move => move.or([move('from_id', '=', id), move('to_id', '=', id)]))
    .execute()

  if (moves.length === 0) return undefined
  const moved = moves.reduce((sum, move) => sum + move.moved, 0)
  // The number of events of an unmerge is unknown.
  const total = moves.reduce<number | null>((sum, move) => (sum === null || move.total === null ? null : sum + move.total), 0)

  return { moved, total }
}
