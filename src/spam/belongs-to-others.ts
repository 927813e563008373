import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

/** Whether a user belongs to a group or project that another user maintains or owns, so that others know the user. */
export async function belongsToOthers(em: EntityManager, userId: number) {
  const { rows } = await sql`
    SELECT 1 FROM memberships m
     JOIN namespaces n ON n.id = coalesce(m.group_id, (SELECT p.namespace_id FROM projects p WHERE p.id = m.project_id))
     JOIN memberships other
       ON other.user_id <> m.user_id AND other.access_level >= 40 AND (other.group_id = ANY (n.lineage) OR other.project_id = m.project_id)
     WHERE m.user_id = ${userId} AND coalesce(m.expires_at >= (now() AT TIME ZONE 'UTC')::date, true)
     LIMIT 1`.execute(em.getKysely())

  return rows.length > 0
}
