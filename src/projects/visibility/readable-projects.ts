import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { Role } from '../members/member.ts'
import { isWithin, membershipsOf } from './membership-store.ts'

/** The projects of a group whose code the viewer may read. */
export async function readableProjectsOf(em: EntityManager, viewer: Viewer, groupId: number, { withSubgroups = true } = {}) {
  const isOpen = viewer.isExternal ? sql`p.visibility = 'public'` : sql`p.visibility <> 'private'`
  const isReadable = viewer.isAdmin ? sql`true` : sql`(${isOpen} OR ${isWithin(await membershipsOf(em, viewer, Role.reporter), 'p')})`
  const isIn = withSubgroups ? sql`n.lineage @> ARRAY[${groupId}::bigint]` : sql`n.id = ${groupId}`
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select('p.id')
    .where(allOf(isIn, isReadable))
    .execute()

  return rows.map(({ id }) => id)
}
