import type { Viewer } from '../../identity/viewer.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { Role } from '../members/member.ts'
import { isLive } from '../members/roles.ts'

/** How far somebody's roles go: over namespaces with all that lies in them, and over single projects. */
export interface Reach {
  namespaces: number[]
  projects: number[]
}

/** What somebody has at least this role in. */
export async function reachOf(em: EntityManager, user: Viewer, least: number = Role.guest): Promise<Reach> {
  const [row] = await query<Reach>(
    em,
    `WITH granted AS MATERIALIZED (
       SELECT group_id, project_id FROM members m WHERE user_id = $1 AND access_level >= $2 AND ${isLive}
     )
     SELECT ARRAY(
              SELECT id FROM namespaces WHERE lineage && ARRAY(SELECT group_id FROM granted WHERE group_id IS NOT NULL)
              UNION ALL
              SELECT id FROM namespaces WHERE owner_id = $1
            ) AS namespaces,
            ARRAY(SELECT project_id FROM granted WHERE project_id IS NOT NULL) AS projects`,
    [user.id, least]
  )

  return row!
}

/** The groups that somebody gets to see by being a member: those reached, and those that these or their projects lie in. */
export async function groupsSeenBy(em: EntityManager, user: Viewer): Promise<number[]> {
  const { namespaces, projects } = await reachOf(em, user)
  const [row] = await query<{ ids: number[] }>(
    em,
    `SELECT ARRAY(
       SELECT DISTINCT unnest(lineage) FROM namespaces
       WHERE id = ANY ($1::bigint[]) OR id IN (SELECT namespace_id FROM projects WHERE id = ANY ($2::bigint[]))
     ) AS ids`,
    [namespaces, projects]
  )

  return row!.ids
}
