import type { User } from '../identity/user.ts'
import { type EntityManager, query } from '../platform/database.ts'
import { Role } from './member.ts'

/** Roles by where they come from; 0 for none. */
export interface Roles {
  /** From a membership of the project itself, or from its lying in the person's own space. */
  direct: number
  /** From a group that it lies in, however far above. */
  inherited: number
}

/** Of a membership `m`: that it counts, which it does to the end of its last day. */
export const isLive = `coalesce(m.expires_at >= (now() AT TIME ZONE 'UTC')::date, true)`

export async function rolesInProject(em: EntityManager, user: User, projectId: number): Promise<Roles> {
  const [row] = await query<Roles>(
    em,
    `SELECT coalesce(greatest(max(m.access_level) FILTER (WHERE m.project_id = p.id),
                              CASE WHEN n.owner_id = $1 THEN ${Role.owner} END), 0) AS direct,
            coalesce(max(m.access_level) FILTER (WHERE m.group_id IS NOT NULL), 0) AS inherited
     FROM projects p
     JOIN namespaces n ON n.id = p.namespace_id
     LEFT JOIN members m ON m.user_id = $1 AND (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isLive}
     WHERE p.id = $2
     GROUP BY n.owner_id`,
    [user.id, projectId]
  )

  return row ?? { direct: 0, inherited: 0 }
}

/** The highest role somebody has in a project; 0 for none. */
export async function roleInProject(em: EntityManager, user: User, projectId: number) {
  const { direct, inherited } = await rolesInProject(em, user, projectId)

  return Math.max(direct, inherited)
}

/** The highest role somebody has in a group, be it from one above it; 0 for none. */
export async function roleInGroup(em: EntityManager, user: User, groupId: number) {
  const [row] = await query<{ role: number }>(
    em,
    `SELECT coalesce(max(m.access_level), 0) AS role
     FROM namespaces n JOIN members m ON m.user_id = $1 AND m.group_id = ANY (n.lineage) AND ${isLive}
     WHERE n.id = $2`,
    [user.id, groupId]
  )

  return row?.role ?? 0
}
