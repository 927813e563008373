import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { Visibility } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { isActiveMembership } from '#projects/members/roles.ts'

/** With the user's highest role in it, or in any group or project in it. */
export async function loadOrganization(em: EntityManager, { id }: Viewer, path: string) {
  const { rows } = await sql<{ id: number; path: string; visibility: Visibility; role: number }>`
    SELECT o.id, o.full_path AS path, o.visibility, coalesce(greatest(CASE WHEN o.owner_id = ${id} THEN ${sql.lit(Role.owner)} END, (
      SELECT max(m.access_level)
      FROM memberships m LEFT JOIN projects p ON p.id = m.project_id JOIN namespaces n ON n.id = coalesce(m.group_id, p.namespace_id)
      WHERE m.user_id = ${id} AND (o.id = ANY (n.lineage) OR m.group_id = ANY (o.lineage)) AND ${isActiveMembership}
    )), 0) AS role
    FROM namespaces o WHERE lower(o.full_path) = lower(${path})`.execute(em.getKysely())

  return rows[0]
}
