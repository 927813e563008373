import { type EntityManager, query } from '#platform/database/database.ts'
import type { MoveKindName } from './bulk-move.ts'

export interface IdleMove {
  id: number
  attempts: number
  idleHours?: number
}

/** Open moves that no worker gave a sign of life about for two minutes: waiting in the queue, or their job was lost. */
export async function findIdleMoves(em: EntityManager, limit: number): Promise<IdleMove[]> {
  return query<IdleMove>(
    em,
    `SELECT id, attempts, floor(extract(epoch FROM now() - updated_at) / 3600)::integer AS "idleHours" FROM repository_storage_moves
     WHERE state IN ('scheduled', 'started', 'replicated') AND updated_at < now() - interval '2 minutes' ORDER BY id LIMIT $1`,
    [limit]
  )
}

/** Repositories of a kind on a storage, after an id. */
export async function findRepositoriesToMove(em: EntityManager, kind: MoveKindName, storage: string, afterId: number, limit: number) {
  const rows = await query<{ id: number }>(
    em,
    `SELECT id FROM repositories WHERE storage = $1 AND ${kind}_id IS NOT NULL AND id > $2 ORDER BY id LIMIT $3`,
    [storage, afterId, limit]
  )

  return rows.map(({ id }) => id)
}

export async function countRepositories(em: EntityManager, kind: MoveKindName, storage: string) {
  const [row] = await query<{ count: number }>(em, `SELECT count(*) FROM repositories WHERE storage = $1 AND ${kind}_id IS NOT NULL`, [
    storage
  ])

  return row!.count
}

/** The paths among these that a repository or an unfinished copy has on this storage. */
export async function findUsedPaths(em: EntityManager, storage: string, paths: string[]) {
  const rows = await query<{ path: string }>(
    em,
    `SELECT path FROM repositories WHERE storage = $1 AND path = ANY ($2::text[])
     UNION ALL
     SELECT destination_path FROM repository_storage_moves
     WHERE destination_storage = $1 AND destination_path = ANY ($2::text[]) AND state IN ('scheduled', 'started', 'replicated')
     UNION ALL
     SELECT source_path FROM repository_storage_moves
     WHERE source_storage = $1 AND source_path = ANY ($2::text[]) AND state IN ('scheduled', 'started', 'replicated')`,
    [storage, paths]
  )

  return new Set(rows.map(({ path }) => path))
}

export interface MoveCounts {
  scheduled: number
  started: number
  finished: number
  failed: number
}

/** How far a bulk move is. A move whose original could not be deleted is finished. */
export async function countMoves(em: EntityManager, bulkMoveId: number): Promise<MoveCounts> {
  const [row] = await query<MoveCounts>(
    em,
    `SELECT count(*) FILTER (WHERE state = 'scheduled') AS scheduled, count(*) FILTER (WHERE state IN ('started', 'replicated')) AS started,
            count(*) FILTER (WHERE state IN ('finished', 'cleanup failed')) AS finished, count(*) FILTER (WHERE state = 'failed') AS failed
     FROM repository_storage_moves WHERE bulk_move_id = $1`,
    [bulkMoveId]
  )

  return row!
}

/** Repositories on each storage. */
export async function countByStorage(em: EntityManager) {
  const rows = await query<{ storage: string; count: number }>(
    em,
    'SELECT storage, count(*) FROM repositories GROUP BY storage ORDER BY storage'
  )

  return new Map(rows.map(({ storage, count }) => [storage, count]))
}
