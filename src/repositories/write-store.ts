import { type EntityManager, query } from '#platform/database/database.ts'

const leaseSeconds = 30

/** Adds the lease of a write. Undefined while the repository is read-only. */
export async function beginWrite(em: EntityManager, repositoryId: number) {
  // The lock orders it with moves: a move either sees the write or has made the repository read-only before it.
  const [write] = await query<{ id: number }>(
    em,
    `WITH writable AS (SELECT id FROM repositories WHERE id = $1 AND NOT is_read_only FOR SHARE)
     INSERT INTO repository_writes (repository_id, expires_at)
     SELECT id, now() + interval '${leaseSeconds} seconds' FROM writable RETURNING id`,
    [repositoryId]
  )

  return write?.id
}

/** False when it had expired: a move may have copied the repository without waiting for this write. */
export async function renewWrite(em: EntityManager, id: number) {
  const renewed = await query(
    em,
    `UPDATE repository_writes SET expires_at = now() + interval '${leaseSeconds} seconds' WHERE id = $1 AND expires_at > now() RETURNING id`,
    [id]
  )

  return renewed.length > 0
}

export async function endWrite(em: EntityManager, id: number) {
  await query(em, 'DELETE FROM repository_writes WHERE id = $1', [id])
}

/** Writes that a move has to wait for. Those whose process died expire. */
export async function countWrites(em: EntityManager, repositoryId: number) {
  await query(em, 'DELETE FROM repository_writes WHERE repository_id = $1 AND expires_at <= now()', [repositoryId])
  const [row] = await query<{ count: number }>(em, 'SELECT count(*) FROM repository_writes WHERE repository_id = $1', [repositoryId])

  return row!.count
}
