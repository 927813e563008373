import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Upload } from '../../../http/parameters/multipart.ts'
import { BadParameter, Problem } from '../../../http/problems/problems.ts'
import type { Viewer } from '../../../identity/viewer.ts'
import { type EntityManager, query } from '../../../platform/database/database.ts'

/** A power of two, as clients insist. */
export const chunkBytes = 2 << 20
const mostWaiting = 10_000

interface Chunk {
  checksum: string
  content: Buffer
}

/** A chunk as it was before it was sent; its name is the checksum of that. */
export async function readChunk({ field, filename, data }: Upload): Promise<Chunk> {
  if (field !== 'file' && field !== 'file_gzip') throw new BadParameter(`A part must be named file or file_gzip, not ${field}`)
  const content = field === 'file' ? data : await inflate(data)
  const checksum = filename.toLowerCase()

  if (content.length > chunkBytes) throw new BadParameter(`A chunk may have ${chunkBytes} bytes at most`)
  if (hash('sha1', content) !== checksum) throw new BadParameter("A chunk's file name must be the SHA-1 of its content")

  return { checksum, content }
}

const unzip = promisify(gunzip)

async function inflate(data: Buffer) {
  try {
    return await unzip(data, { maxOutputLength: chunkBytes })
  } catch {
    throw new BadParameter(`A part named file_gzip must be gzip of ${chunkBytes} bytes at most`)
  }
}

/**
 * A chunk belongs to who uploaded it: whoever only knows its checksum must not get at what is in it. What waits there for
 * its bundle is bounded for each of them.
 */
export async function storeChunk(em: EntityManager, user: Viewer, { checksum, content }: Chunk, bundleBytes: number) {
  const [stored] = await query(
    em,
    `INSERT INTO artifact_chunks (user_id, checksum, size, content)
     SELECT $1::bigint, $2::text, $3::integer, $4::bytea
     WHERE (SELECT count(*) < ${mostWaiting} AND coalesce(sum(size), 0) + $3::integer <= $5::bigint FROM artifact_chunks WHERE user_id = $1 AND checksum <> $2)
     ON CONFLICT (user_id, checksum) DO UPDATE SET created_at = now()
     RETURNING checksum`,
    [user.id, checksum, content.length, content, 4 * bundleBytes]
  )

  if (!stored) throw new Problem(413, { message: 'Too many chunks wait to be put together; do that first, or try again tomorrow' })
}

/** Of these chunks, those that somebody has yet to upload, and how many bytes the others have. */
export async function lookForChunks(em: EntityManager, user: Viewer, checksums: string[]) {
  const rows = await query<{ checksum: string; size: number }>(
    em,
    'SELECT checksum, size FROM artifact_chunks WHERE user_id = $1 AND checksum = ANY ($2)',
    [user.id, checksums]
  )
  const sizes = new Map(rows.map(({ checksum, size }) => [checksum, size]))

  return {
    missing: checksums.filter(checksum => !sizes.has(checksum)),
    bytes: checksums.reduce((sum, checksum) => sum + (sizes.get(checksum) ?? 0), 0)
  }
}

/** What the chunks are when put together; nothing while one is missing. */
export async function joinChunks(em: EntityManager, userId: number, checksums: string[]) {
  const rows = await query<{ checksum: string; content: Buffer }>(
    em,
    'SELECT checksum, content FROM artifact_chunks WHERE user_id = $1 AND checksum = ANY ($2)',
    [userId, checksums]
  )
  const contents = new Map(rows.map(({ checksum, content }) => [checksum, content]))
  const parts = checksums.map(checksum => contents.get(checksum))

  return parts.every(part => part !== undefined) ? Buffer.concat(parts) : undefined
}

/** Removes chunks that no bundle waits for any more. Under the lock under which bundles come to wait for them. */
export async function dropChunks(em: EntityManager, userId: number, checksums: string[]) {
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
