import { sql } from 'kysely'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import { isActiveMembership } from '../../projects/members/roles.ts'

export interface Recipient {
  id: number
  name: string
  email: string
}

const maxRecipients = 500

/** Maintainers and owners of the alert's project, and its assignees who are developers or above. */
export async function findRecipients(em: EntityManager, { id, projectId }: { id: number; projectId: number }) {
  const { rows } = await sql<Recipient & { id: string }>`
    SELECT u.id, u.name, u.email
     FROM projects p
     JOIN namespaces n ON n.id = p.namespace_id
     JOIN users u ON u.state = 'active' AND u.kind = 'human'
     CROSS JOIN LATERAL (
       SELECT greatest(coalesce(max(m.access_level), 0), CASE WHEN n.owner_id = u.id THEN ${sql.lit(Role.owner)} ELSE 0 END) AS role
       FROM memberships m WHERE m.user_id = u.id AND (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isActiveMembership}
     ) r
     WHERE p.id = ${projectId} AND (u.id = n.owner_id
         OR u.id IN (SELECT user_id FROM memberships m WHERE m.project_id = p.id OR m.group_id = ANY (n.lineage)))
       AND (r.role >= ${Role.maintainer}
         OR r.role >= ${Role.developer} AND u.id IN (SELECT user_id FROM alert_assignees WHERE alert_id = ${id}))
     ORDER BY u.id LIMIT ${maxRecipients}`.execute(em.getKysely())

  return rows.map((row): Recipient => ({ ...row, id: Number(row.id) }))
}
