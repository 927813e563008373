import type { EntityManager } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { BulkMove } from './bulk-move.ts'
import { continueBulkMove, moveRepository } from './jobs.ts'
import { findIdleMoves, type IdleMove } from './move-store.ts'

const maxIdle = 1000

/** The same attempt again is the same job. */
export async function enqueueMoves(queues: Queues, moves: IdleMove[]) {
  for (const { id, attempts, idleHours } of moves) await queues.enqueue(moveRepository, { moveId: id, attempt: attempts, idleHours })
}

/** Recovers jobs that were lost. */
export async function resume(em: EntityManager, queues: Queues) {
  await enqueueMoves(queues, await findIdleMoves(em, maxIdle))
  for (const { id } of await em.find(BulkMove, { finishedAt: null })) await queues.enqueue(continueBulkMove, { bulkMoveId: id })
}
