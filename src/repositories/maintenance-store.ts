import { type EntityManager, query } from '#platform/database/database.ts'
import type { Measures } from './measure.ts'

export interface WrittenRepository {
  id: number
  storage: string
  path: string
  /** In full, such as `refs/heads/main`. */
  branch: string
  /** As text: its microseconds tell a later write. */
  written_at: string
}

/** Repositories written to since they were last maintained, oldest first. Those that move wait. */
export function listWritten(em: EntityManager, limit: number) {
  return query<WrittenRepository>(
    em,
    `SELECT r.id, r.storage, r.path, r.written_at::text, 'refs/heads/' || coalesce(p.default_branch, 'main') AS branch
     FROM repositories r LEFT JOIN projects p ON p.id = r.project_id
     WHERE r.maintained_at IS DISTINCT FROM r.written_at AND r.is_initialized AND NOT r.is_read_only
     ORDER BY r.written_at LIMIT $1`,
    [limit]
  )
}

/** A write that came meanwhile is maintained later. */
export async function markMaintained(em: EntityManager, { id, written_at: writtenAt }: WrittenRepository, measures?: Measures) {
  await query(
    em,
    `UPDATE repositories SET maintained_at = $2, size_bytes = coalesce($3, size_bytes),
       readme = CASE WHEN $3::bigint IS NULL THEN readme ELSE $4 END
     WHERE id = $1`,
    [id, writtenAt, measures?.sizeBytes ?? null, measures?.readme ?? null]
  )
}
