import { type RawBuilder, sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { isActive, isActiveMembership } from './roles.ts'

export interface AssigneeGroup {
  id: number
  full_path: string
}

/** Groups `g` whose members are in a project `p`: those that it is in, and those that it, or one of these, is shared with. */
const isOfProject = sql`g.kind = 'group' AND (g.id = ANY (n.lineage) OR EXISTS (
  SELECT FROM group_shares s WHERE s.with_group_id = g.id AND (s.project_id = p.id OR s.group_id = ANY (n.lineage)) AND ${isActive('s')}))`

/** The groups of a project to which something can be assigned. */
export function listAssigneeGroups(em: EntityManager, projectId: number) {
  return select(em, projectId, sql`true`)
}

/** Those of them with these paths, in lower case. */
export function findAssigneeGroups(em: EntityManager, projectId: number, paths: string[]) {
  return select(em, projectId, sql`lower(g.full_path) = ANY (${paths}::text[])`)
}

/** Those of them that a user is a member of. */
export async function findOwnGroupIds(em: EntityManager, projectId: number, userId: number) {
  const isOwn = sql`EXISTS (SELECT FROM memberships m WHERE m.user_id = ${userId} AND m.group_id = ANY (g.lineage) AND ${isActiveMembership})`

  return (await select(em, projectId, isOwn)).map(({ id }) => id)
}

export async function isAssigneeGroup(em: EntityManager, projectId: number, groupId: number) {
  return (await select(em, projectId, sql`g.id = ${groupId}`)).length > 0
}

const maxGroups = 200

async function select(em: EntityManager, projectId: number, condition: RawBuilder<unknown>) {
  const { rows } = await sql<AssigneeGroup>`
    SELECT g.id, g.full_path FROM projects p JOIN namespaces n ON n.id = p.namespace_id JOIN namespaces g ON ${isOfProject}
    WHERE p.id = ${projectId} AND ${condition} ORDER BY lower(g.full_path) LIMIT ${sql.lit(maxGroups)}`.execute(em.getKysely())

  return rows
}

/** The paths of groups, by id. */
export async function findGroupPaths(em: EntityManager, ids: number[]) {
  if (ids.length === 0) return new Map<number, string>()
  const { rows } = await sql<AssigneeGroup>`SELECT id, full_path FROM namespaces WHERE id = ANY (${ids}::bigint[])`.execute(em.getKysely())

  return new Map(rows.map(({ id, full_path }) => [id, full_path]))
}

/** The members of each group, those of the groups above it included. */
export async function listGroupMemberIds(em: EntityManager, groupIds: number[]) {
  if (groupIds.length === 0) return new Map<number, number[]>()
  const { rows } = await sql<{ id: number; ids: number[] }>`
    SELECT g.id, array_agg(DISTINCT m.user_id) AS ids FROM namespaces g
    JOIN memberships m ON m.group_id = ANY (g.lineage) AND ${isActiveMembership}
    WHERE g.id = ANY (${groupIds}::bigint[]) GROUP BY g.id`.execute(em.getKysely())

  return new Map(rows.map(({ id, ids }) => [id, ids]))
}
