import type { EntityManager } from '#platform/database/database.ts'
import type { Storages } from '#platform/git/storages.ts'
import { BulkMove } from './bulk-move.ts'
import { countByStorage, countMoves, type MoveCounts } from './move-store.ts'
import { StorageMove } from './storage-move.ts'

export interface StorageState {
  name: string
  weight: number
  repositories: number
  /** Why it cannot be used, or its space. */
  problem?: string
  freeBytes?: number
  totalBytes?: number
}

export interface BulkProgress {
  bulk: BulkMove
  counts: MoveCounts
  /** Repositories that are moved, failed or skipped. */
  done: number
  /** Undefined until there is a pace to go by. */
  secondsLeft?: number
}

const recent = 20

/** Storages in the settings, and those that only rows still name. */
export async function describeStorages(em: EntityManager, storages: Storages): Promise<StorageState[]> {
  const counts = await countByStorage(em)
  const names = [...new Set([...storages.names, ...counts.keys()])]

  return Promise.all(names.map(name => describeStorage(storages, name, counts.get(name) ?? 0)))
}

export async function listBulkMoves(em: EntityManager, at: Date): Promise<BulkProgress[]> {
  const bulks = await em.find(BulkMove, {}, { orderBy: { id: 'desc' }, limit: recent })

  return Promise.all(bulks.map(async bulk => progressOf(bulk, await countMoves(em, bulk.id), at)))
}

/** The last moves that did not end well, newest first. */
export function listFailedMoves(em: EntityManager) {
  return em.find(StorageMove, { state: { $in: ['failed', 'cleanup failed'] } }, { orderBy: { id: 'desc' }, limit: recent })
}

async function describeStorage(storages: Storages, name: string, repositories: number): Promise<StorageState> {
  const state = { name, repositories, weight: storages.has(name) ? storages.weightOf(name) : 0 }

  try {
    return { ...state, ...(await storages.space(name)) }
  } catch (error) {
    return { ...state, problem: (error as Error).message }
  }
}

function progressOf(bulk: BulkMove, counts: MoveCounts, at: Date): BulkProgress {
  const moved = counts.finished + counts.failed
  const done = moved + bulk.skipped
  const seconds = (at.getTime() - bulk.createdAt.getTime()) / 1000
  const left = Math.max(0, bulk.total - done)

  return { bulk, counts, done, secondsLeft: bulk.finishedAt || moved === 0 ? undefined : (left * seconds) / moved }
}
