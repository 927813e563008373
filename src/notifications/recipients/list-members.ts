import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { isActiveMembership } from '#projects/members/roles.ts'

export interface ProjectMember {
  id: number
  username: string
  role: number
}

const maxMembers = 5000

/** The users who are members of a project and can get mail: active, not bots, with a confirmed address. Only those with these ids, if given. */
export async function listMembers(em: EntityManager, projectId: number, userIds?: number[]): Promise<ProjectMember[]> {
  const { rows } = await sql<{ id: number; username: string; role: number }>`
    SELECT u.id, u.username, greatest(coalesce(max(m.access_level), 0), CASE WHEN n.owner_id = u.id THEN ${sql.lit(Role.owner)} ELSE 0 END) AS role
     FROM projects p
     JOIN namespaces n ON n.id = p.namespace_id
     JOIN memberships m ON (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isActiveMembership}
     JOIN users u ON u.id = m.user_id AND u.state = 'active' AND u.kind = 'human' AND u.confirmed_at IS NOT NULL
     WHERE p.id = ${projectId} AND (${userIds ?? null}::bigint[] IS NULL OR u.id = ANY (${userIds ?? null}::bigint[]))
     GROUP BY u.id, n.owner_id ORDER BY u.id LIMIT ${sql.lit(maxMembers)}`.execute(em.getKysely())

  return rows
}
