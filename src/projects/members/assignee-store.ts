import { type EntityManager, query } from '#platform/database/database.ts'

/** `alert_assignees` and `issue_assignees` hold the assignees. */
export type AssignableType = 'alert' | 'issue'

export async function findAssigneeIds(em: EntityManager, type: AssignableType, id: number) {
  const db = em.getKysely<Record<string, Record<string, number>>>()
  const rows = await db.selectFrom(`${type}_assignees`).select('user_id').where(`${type}_id`, '=', id).orderBy('user_id').execute()

  return rows.map(row => row.user_id)
}

export async function replaceAssignees(em: EntityManager, type: AssignableType, id: number, userIds: number[]) {
  await query(em, `DELETE FROM ${type}_assignees WHERE ${type}_id = $1 AND user_id <> ALL ($2::bigint[])`, [id, userIds])
  await query(em, `INSERT INTO ${type}_assignees (${type}_id, user_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`, [
    id,
    userIds
  ])
}
