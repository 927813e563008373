import { byteaArray, type EntityManager, query } from '#platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'

/** Counts the hashes of a group, and those of them that are given. */
export async function countGivenHashes(em: EntityManager, groupId: number, hashes: Buffer[]) {
  const [row] = await query<{ all: number; given: number }>(
    em,
    'SELECT count(*) AS all, count(*) FILTER (WHERE hash = ANY ($2)) AS given FROM error_hashes WHERE group_id = $1',
    [groupId, byteaArray(hashes)]
  )

  return row!
}

/** Assigns hashes to another group and creates the move of their events. */
export async function startUnmerge(em: EntityManager, { id, projectId }: ErrorGroup, newId: number, hashes: Buffer[]) {
  const array = byteaArray(hashes)

  await query(em, 'UPDATE error_hashes SET group_id = $1 WHERE project_id = $2 AND hash = ANY ($3)', [newId, projectId, array])
  const [move] = await query<{ id: number }>(
    em,
    'INSERT INTO error_moves (project_id, from_id, to_id, hashes) VALUES ($1, $2, $3, $4) RETURNING id',
    [projectId, id, newId, array]
  )

  return move!.id
}
