import { type EntityManager, query } from '#platform/database/database.ts'

const isWithin = 'lineage @> ARRAY[$1::bigint]'

/** Marks with a group what is in it and not yet marked. */
export async function markWithin(em: EntityManager, groupId: number, at: Date) {
  const mark = 'SET marked_for_deletion_at = $2, marked_with_id = $1'

  await query(em, `UPDATE namespaces ${mark} WHERE ${isWithin} AND id <> $1 AND marked_for_deletion_at IS NULL`, [groupId, at])
  await query(
    em,
    `UPDATE projects ${mark} WHERE namespace_id IN (SELECT id FROM namespaces WHERE ${isWithin}) AND marked_for_deletion_at IS NULL`,
    [groupId, at]
  )
}

/** Takes off the marks of what was marked with a group. */
export async function restoreWithin(em: EntityManager, groupId: number) {
  for (const table of ['namespaces', 'projects']) {
    await query(em, `UPDATE ${table} SET marked_for_deletion_at = NULL, marked_with_id = NULL WHERE marked_with_id = $1`, [groupId])
  }
}

/** The ids of groups or projects that were marked by themselves until then, the first ones first. */
export async function findMarked(em: EntityManager, table: 'namespaces' | 'projects', until: Date, limit: number) {
  const rows = await query<{ id: number }>(
    em,
    `SELECT id FROM ${table} WHERE marked_for_deletion_at <= $1 AND marked_with_id IS NULL ORDER BY marked_for_deletion_at, id LIMIT $2`,
    [until, limit]
  )

  return rows.map(({ id }) => id)
}
