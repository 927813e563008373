import { type EntityManager, query } from '../../platform/database/database.ts'
import { step, walk, walkParams } from './event-ranges.ts'
import type { Move } from './move-events.ts'

/** A step behind a merge: some events, some users. What they add up to went along with the merge itself. */
export async function followMerged(em: EntityManager, move: Move) {
  const events = await moveEvents(em, move)
  const users = await moveUsers(em, move)

  return events < step && users < step
}

async function moveEvents(em: EntityManager, move: Move) {
  const [row] = await query<{ count: string }>(em, `WITH ${walk} SELECT count(*) FROM seen`, walkParams(move))

  return Number(row!.count)
}

/** The group's row is locked first, as batches do it. */
async function moveUsers(em: EntityManager, { fromId, toId }: Move) {
  await query(em, 'SELECT FROM error_groups WHERE id = $1 FOR NO KEY UPDATE', [toId])
  const [row] = await query<{ count: string }>(
    em,
    `WITH taken AS (
       DELETE FROM error_users WHERE (group_id, user_hash) IN (
         SELECT group_id, user_hash FROM error_users WHERE group_id = $1 ORDER BY user_hash LIMIT ${step}
       ) RETURNING user_hash
     ), met AS (
       INSERT INTO error_users (group_id, user_hash) SELECT $2, user_hash FROM taken ORDER BY user_hash
       ON CONFLICT DO NOTHING RETURNING 1
     ), counted AS (
       UPDATE error_groups SET users = users + (SELECT count(*) FROM met) WHERE id = $2
     )
     SELECT count(*) FROM taken`,
    [fromId, toId]
  )

  return Number(row!.count)
}
