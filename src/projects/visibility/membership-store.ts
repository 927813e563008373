import { type SqlBool, sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '../members/member.ts'
import { isActiveMembership } from '../members/roles.ts'

/** The namespaces in which a user has a role, descendants included, and the projects of which they are a direct member or that are shared with them. */
export interface Memberships {
  namespaces: number[]
  projects: number[]
}

export async function membershipsOf(em: EntityManager, user: Viewer, minRole: number = Role.guest): Promise<Memberships> {
  const { rows } = await sql<Memberships>`
    WITH granted AS MATERIALIZED (
       SELECT group_id, project_id FROM memberships m WHERE user_id = ${user.id} AND access_level >= ${minRole} AND ${isActiveMembership}
     )
     SELECT ARRAY(
              SELECT id FROM namespaces WHERE lineage && ARRAY(SELECT group_id FROM granted WHERE group_id IS NOT NULL)
              UNION ALL
              SELECT id FROM namespaces WHERE owner_id = ${user.id}
            ) AS namespaces,
            ARRAY(SELECT project_id FROM granted WHERE project_id IS NOT NULL) AS projects`.execute(em.getKysely())

  return rows[0]!
}

/** The condition that a row of `projects` belongs to the memberships. */
export function isWithin({ namespaces, projects }: Memberships, alias: string) {
  return sql<SqlBool>`(${sql.ref(`${alias}.namespace_id`)} = ANY (${namespaces}::bigint[]) OR ${sql.ref(`${alias}.id`)} = ANY (${projects}::bigint[]))`
}

/** The groups that a member sees: those of the memberships and all their ancestors. */
export async function memberGroupIds(em: EntityManager, user: Viewer): Promise<number[]> {
  const { namespaces, projects } = await membershipsOf(em, user)
  const { rows } = await sql<{ ids: number[] }>`
    SELECT ARRAY(
       SELECT DISTINCT unnest(lineage) FROM namespaces
       WHERE id = ANY (${namespaces}::bigint[]) OR id IN (SELECT namespace_id FROM projects WHERE id = ANY (${projects}::bigint[]))
     ) AS ids`.execute(em.getKysely())

  return rows[0]!.ids
}
