import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { isActiveMembership } from './roles.ts'

/** Whether a user has any role in a project, its own or through a group above it. */
export async function isMember(em: EntityManager, projectId: number, userId: number) {
  const { rows } = await sql`
    SELECT 1 FROM projects p JOIN namespaces n ON n.id = p.namespace_id
     WHERE p.id = ${projectId} AND (n.owner_id = ${userId} OR EXISTS (
       SELECT FROM memberships m WHERE m.user_id = ${userId} AND (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isActiveMembership}))`.execute(
    em.getKysely()
  )

  return rows.length > 0
}
