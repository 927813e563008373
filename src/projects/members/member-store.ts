import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from './member.ts'
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

/** The user's highest role in a group or one of its ancestors, shares included; 0 for none. */
export async function roleInGroup(em: EntityManager, user: Viewer, groupId: number) {
  const { rows } = await sql<{ role: number }>`
    SELECT coalesce(max(m.access_level), 0) AS role
     FROM namespaces n JOIN memberships m ON m.user_id = ${user.id} AND m.group_id = ANY (n.lineage) AND ${isActiveMembership}
     WHERE n.id = ${groupId}`.execute(em.getKysely())

  return rows[0]?.role ?? 0
}

/** The user's highest role in each of the projects, shares included. */
export async function rolesInProjects(em: EntityManager, user: Viewer, projectIds: number[]) {
  const { rows } = await sql<{ id: number; role: number | null }>`
    SELECT p.id, greatest(max(m.access_level), CASE WHEN n.owner_id = ${user.id} THEN ${sql.lit(Role.owner)} END) AS role
     FROM projects p JOIN namespaces n ON n.id = p.namespace_id
     LEFT JOIN memberships m ON m.user_id = ${user.id} AND (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isActiveMembership}
     WHERE p.id = ANY (${projectIds}::bigint[])
     GROUP BY p.id, n.owner_id`.execute(em.getKysely())

  return new Map(rows.map(({ id, role }) => [id, role ?? 0]))
}

/** People with a role in any of the projects, their own or through a group: those whom something can be assigned to. */
export async function listPeople(em: EntityManager, projectIds: number[], limit: number) {
  const { rows } = await sql<{ id: number; username: string }>`
    WITH chosen AS MATERIALIZED (
      SELECT n.owner_id, n.lineage FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ANY (${projectIds}::bigint[])
    ), people AS (
      SELECT owner_id AS user_id FROM chosen
      UNION SELECT m.user_id FROM memberships m WHERE m.project_id = ANY (${projectIds}::bigint[]) AND ${isActiveMembership}
      UNION SELECT m.user_id FROM memberships m WHERE m.group_id IN (SELECT unnest(lineage) FROM chosen) AND ${isActiveMembership}
    )
    SELECT u.id, u.username FROM users u WHERE u.id IN (SELECT user_id FROM people) AND u.kind = 'human' AND u.state = 'active'
    ORDER BY lower(u.username) LIMIT ${limit}`.execute(em.getKysely())

  return rows
}
