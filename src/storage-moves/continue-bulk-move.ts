import { LockMode } from '@mikro-orm/core'
import { Refusal } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Storages } from '#platform/git/storages.ts'
import { BulkMove } from './bulk-move.ts'
import { countMoves, findRepositoriesToMove } from './move-store.ts'
import { scheduleMove } from './schedule-move.ts'
import type { StorageMove } from './storage-move.ts'

/** Repositories are read-only from when their move is scheduled, so only a few wait for a worker. */
const maxOpen = 20

interface Continued {
  /** To be enqueued after the commit. */
  moves: StorageMove[]
  /** Repositories were skipped, so there is room for more moves. Without another call, no move might be left whose end continues it. */
  hasRoom: boolean
}

/** Schedules the next moves, so that a few are open. Called when a move of it ends, and by a schedule. */
export function continueBulk(em: EntityManager, storages: Storages, bulkMoveId: number, at: Date): Promise<Continued> {
  return em.transactional(async em => {
    const bulk = await em.findOne(BulkMove, { id: bulkMoveId, finishedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!bulk) return { moves: [], hasRoom: false }
    const { scheduled, started } = await countMoves(em, bulk.id)
    const free = maxOpen - scheduled - started
    const ids = free > 0 ? await findRepositoriesToMove(em, bulk.kind, bulk.sourceStorage, bulk.lastRepositoryId, free) : []
    const moves: StorageMove[] = []

    for (const repositoryId of ids) {
      const move = await scheduleIfPossible(em, storages, bulk, repositoryId, at)

      bulk.lastRepositoryId = repositoryId
      if (move) moves.push(move)
      else bulk.skipped++
    }
    if (free > 0 && ids.length === 0 && scheduled + started === 0) bulk.finishedAt = at

    return { moves, hasRoom: moves.length < ids.length }
  })
}

/** Undefined when the repository moves already, or was deleted meanwhile. */
async function scheduleIfPossible(em: EntityManager, storages: Storages, bulk: BulkMove, repositoryId: number, at: Date) {
  const move = { repositoryId, kind: bulk.kind, destination: bulk.destinationStorage, bulkMoveId: bulk.id }

  try {
    return await scheduleMove(em, storages, move, at)
  } catch (error) {
    if (error instanceof Refusal || (error as Error).name === 'NotFoundError') return undefined
    throw error
  }
}
