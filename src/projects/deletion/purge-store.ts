import { type EntityManager, query } from '#platform/database/database.ts'

/** Events that were stored for projects, some of which retention may have deleted since. */
export async function countStoredEvents(em: EntityManager, projectIds: number[]) {
  const [row] = await query<{ items: number }>(
    em,
    `SELECT coalesce(sum(items), 0)::bigint AS items FROM error_stored_counts
     WHERE project_id = ANY ($1::bigint[]) AND category = 'error'`,
    [projectIds]
  )

  return row!.items
}
