import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { sharesJson } from '../members/group-share.ts'
import { roleInGroup } from '../members/member-store.ts'
import { presentShares } from '../members/present-shares.ts'
import { presentGroup } from './group-schemas.ts'

/** Loads and presents a group with the groups it is shared with. */
export async function renderGroup(em: EntityManager, id: number, viewer: Viewer | undefined, baseUrl: string) {
  const group = await em.findOneOrFail(Namespace, id, { populate: ['fullName'], refresh: true })
  const shares = await loadShares(em, id)
  const isMember = viewer !== undefined && (viewer.isAdmin || (await roleInGroup(em, viewer, id)) > 0)

  return { ...presentGroup(group, baseUrl), shared_with_groups: presentShares(shares, viewer, isMember) }
}

async function loadShares(em: EntityManager, id: number) {
  const row = await em
    .getKysely<Tables>()
    .selectFrom('namespaces as n')
    .select(sharesJson('group_id', 'n').as('shares'))
    .where(sql.ref('n.id'), '=', id)
    .executeTakeFirst()

  return row?.shares ?? []
}
