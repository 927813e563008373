import { type EntityManager, query } from '#platform/database/database.ts'
import { chunkParams, chunkSize, type Move, moveNextChunk } from './move-store.ts'

/** Moves some events and users of a merged group; the merge itself added its counts. Returns whether all are moved. */
export async function moveMergedChunk(em: EntityManager, move: Move) {
  const events = await moveEvents(em, move)
  const users = await moveUsers(em, move)

  return events < chunkSize && users < chunkSize
}

async function moveEvents(em: EntityManager, move: Move) {
  const [row] = await query<{ count: number }>(em, `WITH ${moveNextChunk} SELECT count(*) FROM chunk`, chunkParams(move))

  return row!.count
}

/** Locks the group's row first, in the same order as batches. */
async function moveUsers(em: EntityManager, { fromId, toId }: Move) {
  await query(em, 'SELECT FROM error_groups WHERE id = $1 FOR NO KEY UPDATE', [toId])
  const [row] = await query<{ count: number }>(
    em,
    `WITH deleted AS (
       DELETE FROM error_users WHERE (group_id, user_hash) IN (
         SELECT group_id, user_hash FROM error_users WHERE group_id = $1 ORDER BY user_hash LIMIT ${chunkSize}
       ) RETURNING user_hash
     ), added AS (
       INSERT INTO error_users (group_id, user_hash) SELECT $2, user_hash FROM deleted ORDER BY user_hash
       ON CONFLICT DO NOTHING RETURNING 1
     ), counted AS (
       UPDATE error_groups SET users = users + (SELECT count(*) FROM added) WHERE id = $2
     )
     SELECT count(*) FROM deleted`,
    [fromId, toId]
  )

  return row!.count
}
