import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'

/** The id of the project or group that had this path before it moved. */
export async function findByFormerPath(em: EntityManager, path: string, type: 'project' | 'group') {
  const id = sql.ref(`${type}_id`)
  const { rows } = await sql<{ id: number }>`
    SELECT ${id} AS id FROM redirects WHERE lower(full_path) = lower(${path}) AND ${id} IS NOT NULL`.execute(em.getKysely())

  return rows[0]?.id
}

/** Redirects the current paths of a namespace and of everything in it. */
export async function redirectNamespace(em: EntityManager, id: number) {
  await createRedirects(em, 'group_id', `SELECT full_path, id FROM namespaces WHERE ${isNamespaceWithin}`, [id])
  await createRedirects(em, 'project_id', `SELECT full_path, id FROM projects WHERE ${isProjectWithin}`, [id])
}

/** Redirects a former path of a project. */
export function redirectProject(em: EntityManager, id: number, from: string) {
  return createRedirects(em, 'project_id', 'SELECT $2::text, id FROM projects WHERE id = $1', [id, from])
}

async function createRedirects(em: EntityManager, to: 'project_id' | 'group_id', paths: string, params: unknown[]) {
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

/** Moves everything in a namespace. Returns every path that is now in use. */
export async function moveDescendants(em: EntityManager, id: number, from: string, to: string) {
  const change = `SET full_path = $3::text || substr(full_path, length($2::text) + 1), updated_at = greatest(updated_at, now())`
  const rows = await query<{ full_path: string }>(
    em,
    `WITH moved_groups AS (UPDATE namespaces ${change} WHERE ${isNamespaceWithin} AND id <> $1 RETURNING full_path),
          moved_projects AS (UPDATE projects ${change} WHERE ${isProjectWithin} RETURNING full_path)
     SELECT full_path FROM moved_groups UNION ALL SELECT full_path FROM moved_projects`,
    [id, from, to]
  )

  return [to, ...rows.map(row => row.full_path)]
}

/** A namespace and everything in it move below other ancestors. */
export async function replaceLineage(em: EntityManager, { id, lineage }: { id: number; lineage: number[] }, ancestors: number[]) {
  await query(em, `UPDATE namespaces SET lineage = $2::bigint[] || lineage[$3::int:] WHERE ${isNamespaceWithin}`, [
    id,
    ancestors,
    lineage.length
  ])
}

const isNamespaceWithin = 'lineage @> ARRAY[$1::bigint]'
const isProjectWithin = `namespace_id IN (SELECT id FROM namespaces WHERE ${isNamespaceWithin})`

export async function isPathFree(em: EntityManager, fullPath: string) {
  const { rows } = await sql`
    SELECT FROM namespaces WHERE lower(full_path) = lower(${fullPath})
    UNION ALL SELECT FROM projects WHERE lower(full_path) = lower(${fullPath})`.execute(em.getKysely())

  return rows.length === 0
}
