import { type EntityManager, query } from '../platform/database/database.ts'

/** The id of the project or group that had this path before it moved. */
export async function findByFormerPath(em: EntityManager, path: string, type: 'project' | 'group') {
  const [row] = await query<{ id: string }>(
    em,
    `SELECT ${type}_id AS id FROM redirects WHERE lower(full_path) = lower($1) AND ${type}_id IS NOT NULL`,
    [path]
  )

  return row && Number(row.id)
}

/** `paths` is a statement that selects `full_path` and the id to redirect to. */
export async function createRedirects(em: EntityManager, to: 'project_id' | 'group_id', paths: string, params: unknown[]) {
  await query(
    em,
    `INSERT INTO redirects (full_path, ${to}) ${paths}
     ON CONFLICT (lower(full_path)) DO UPDATE SET project_id = EXCLUDED.project_id, group_id = EXCLUDED.group_id, created_at = now()`,
    params
  )
}

/** A path in use must not redirect: something moved back, or only the case of its path changed. */
export async function deleteStaleRedirects(em: EntityManager, paths: string[]) {
  await query(em, 'DELETE FROM redirects WHERE lower(full_path) = ANY (SELECT lower(unnest($1::text[])))', [paths])
}
