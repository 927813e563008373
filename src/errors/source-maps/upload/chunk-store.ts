import { TooLarge } from '#lib/refusals.ts'
import { type EntityManager, query, type Tables } from '#platform/database/database.ts'
import type { Chunk } from './read-chunk.ts'

const maxChunks = 10_000

/** Stores a chunk for its uploader only: knowing a checksum must not give access to the content. Each user's chunks are limited. */
export async function storeChunk(em: EntityManager, userId: number, { checksum, content }: Chunk, bundleBytes: number) {
  const [stored] = await query(
    em,
    `INSERT INTO artifact_chunks (user_id, checksum, size, content)
     SELECT $1::bigint, $2::text, $3::integer, $4::bytea
     WHERE (SELECT count(*) < ${maxChunks} AND coalesce(sum(size), 0) + $3::integer <= $5::bigint FROM artifact_chunks WHERE user_id = $1 AND checksum <> $2)
     ON CONFLICT (user_id, checksum) DO UPDATE SET created_at = now()
     RETURNING checksum`,
    [userId, checksum, content.length, content, 4 * bundleBytes]
  )

  if (!stored) throw new TooManyChunks()
}

/** The sizes of those chunks that are stored, by checksum. */
export async function findChunkSizes(em: EntityManager, userId: number, checksums: string[]) {
  const rows = await selectChunks(em, userId, checksums).select(['checksum', 'size']).execute()

  return new Map(rows.map(({ checksum, size }) => [checksum, size]))
}

/** The chunks' joined content, or undefined if a chunk is missing. */
export async function joinChunks(em: EntityManager, userId: number, checksums: string[]) {
  const rows = await selectChunks(em, userId, checksums).select(['checksum', 'content']).execute()
  const contents = new Map(rows.map(({ checksum, content }) => [checksum, content]))
  const parts = checksums.map(checksum => contents.get(checksum))

  return parts.every(part => part !== undefined) ? Buffer.concat(parts) : undefined
}

function selectChunks(em: EntityManager, userId: number, checksums: string[]) {
  return em.getKysely<Tables>().selectFrom('artifact_chunks').where('user_id', '=', userId).where('checksum', 'in', checksums)
}

/** Deletes chunks that no pending bundle needs, under the lock that bundles are created under. */
export async function deleteUnusedChunks(em: EntityManager, userId: number, checksums: string[]) {
  await em.transactional(async em => {
    await lockChunks(em, userId)
    await query(
      em,
      `DELETE FROM artifact_chunks c WHERE user_id = $1 AND checksum = ANY ($2) AND NOT EXISTS (
         SELECT FROM artifact_bundles b WHERE b.user_id = $1 AND b.state IN ('created', 'assembling') AND c.checksum = ANY (b.chunks))`,
      [userId, checksums]
    )
  })
}

export function lockChunks(em: EntityManager, userId: number) {
  return query(em, `SELECT pg_advisory_xact_lock(hashtext(current_schema() || ' chunks'), $1)`, [userId])
}

class TooManyChunks extends TooLarge {
  override code = 'too_many_chunks'
  override isSentence = true

  constructor() {
    super('Too many chunks are unassembled; assemble their bundles, or try again tomorrow')
  }
}
