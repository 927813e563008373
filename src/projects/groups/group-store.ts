import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { isNamespaceWithin, type Visibility } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '../members/member.ts'
import { isActive, isActiveMembership } from '../members/roles.ts'

const maxGroups = 500

export interface GroupPaths {
  /** Groups that the user is a member of, without those below them. */
  direct: string[]
  all: string[]
  owner: string[]
  maintainer: string[]
  developer: string[]
}

/** The full paths of a user's groups, and of those in which the user has exactly a role. */
export async function groupPathsOf(em: EntityManager, user: Pick<Viewer, 'id'>): Promise<GroupPaths> {
  const { rows } = await sql<{ path: string; role: number; is_direct: boolean }>`
    SELECT n.full_path AS path, max(m.access_level) AS role, bool_or(m.group_id = n.id) AS is_direct
     FROM members m JOIN namespaces n ON m.group_id = ANY (n.lineage)
     WHERE m.user_id = ${user.id} AND m.group_id IS NOT NULL AND n.kind = 'group' AND ${isActiveMembership}
     GROUP BY n.id ORDER BY n.full_path LIMIT ${maxGroups}`.execute(em.getKysely())
  const paths = (isWanted: (row: (typeof rows)[number]) => boolean) => rows.filter(isWanted).map(({ path }) => path)

  return {
    direct: paths(({ is_direct }) => is_direct),
    all: paths(() => true),
    owner: paths(({ role }) => role === Role.owner),
    maintainer: paths(({ role }) => role === Role.maintainer),
    developer: paths(({ role }) => role === Role.developer)
  }
}

/** The groups that a project is in, and with `with_shared` also those that it is shared with. */
export async function groupsOf(em: EntityManager, projectId: number, isWithShared: boolean, minRole: number) {
  const { rows } = await sql<{ ids: number[] }>`
    SELECT n.lineage || ARRAY(
      SELECT s.with_group_id FROM group_shares s
      WHERE ${isWithShared} AND s.project_id = p.id AND s.access_level >= ${minRole} AND ${isActive('s')}
    ) AS ids
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ${projectId}`.execute(em.getKysely())

  return rows[0]!.ids
}

/** Shared with the project itself, or with a group that it is in. */
export async function invitedGroupsOf(em: EntityManager, projectId: number, relations: string[] = ['direct', 'inherited']) {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT s.with_group_id AS id FROM group_shares s
    WHERE ${isActive('s')} AND (
      (${relations.includes('direct')} AND s.project_id = ${projectId}) OR
      (${relations.includes('inherited')} AND s.group_id = ANY (
        SELECT unnest(n.lineage) FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ${projectId}
      )))`.execute(em.getKysely())

  return rows.map(({ id }) => id)
}

/** Whether a subgroup or project, at any depth, has one of the visibilities. */
export async function containsAny(em: EntityManager, groupId: number, visibilities: Visibility[]) {
  const { rows } = await sql`
    WITH inside AS (SELECT id, visibility FROM namespaces WHERE ${isNamespaceWithin(groupId)})
     SELECT FROM inside WHERE id <> ${groupId} AND visibility = ANY (${visibilities})
     UNION ALL
     SELECT FROM projects WHERE namespace_id IN (SELECT id FROM inside) AND visibility = ANY (${visibilities}) LIMIT 1`.execute(
    em.getKysely()
  )

  return rows.length > 0
}
