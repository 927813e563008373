import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '../members/member.ts'
import { isWithin, membershipsOf } from './memberships.ts'

/** The projects of a group whose code the viewer may read. */
export async function readableProjectsOf(em: EntityManager, viewer: Viewer, groupId: number, { withSubgroups = true } = {}) {
  const isOpen = viewer.isExternal ? sql`p.visibility = 'public'` : sql`p.visibility <> 'private'`
  const isReadable = viewer.isAdmin ? sql`true` : sql`(${isOpen} OR ${isWithin(await membershipsOf(em, viewer, Role.reporter), 'p')})`
  const isIn = withSubgroups ? sql`n.lineage @> ARRAY[${groupId}::bigint]` : sql`n.id = ${groupId}`
  const { rows } = await sql<{ id: number }>`
    SELECT p.id FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE ${isIn} AND ${isReadable}`.execute(em.getKysely())

  return rows.map(({ id }) => id)
}
