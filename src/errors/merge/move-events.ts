import type { EntityManager } from '#platform/database/database.ts'
import { moveMergedChunk } from './merge-move-store.ts'
import { deleteMove, findMoveIds, lockMove } from './move-store.ts'
import { moveUnmergedChunk } from './unmerge-move-store.ts'

/** Finishes all pending moves. When interrupted, it continues where it stopped. */
export async function finishMoves(em: EntityManager, signal?: AbortSignal) {
  for (const id of await findMoveIds(em)) await finishMove(em, id, signal)
}

export async function finishMove(em: EntityManager, id: number, signal?: AbortSignal) {
  while (await moveChunk(em, id)) signal?.throwIfAborted()
}

/** Moves a chunk in one transaction and returns whether there are more. The lock makes concurrent workers alternate. */
function moveChunk(em: EntityManager, id: number) {
  return em.transactional(async em => {
    const move = await lockMove(em, id)
    if (!move) return false
    const isLast = await (move.hashes ? moveUnmergedChunk(em, move) : moveMergedChunk(em, move))

    if (isLast) await deleteMove(em, id)

    return !isLast
  })
}
