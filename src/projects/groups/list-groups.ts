import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { Namespace, type Visibility } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { byId, selectList } from '#platform/database/list.ts'
import { isMarkedOn } from '../deletion/mark.ts'
import { memberGroupIds, membershipsOf } from '../visibility/membership-store.ts'
import { matchesSearch } from '../visibility/search.ts'

export interface GroupFilter {
  /** Only groups in which the viewer has this role. */
  minRole?: number
  /** Public and internal groups, too, not only those that the viewer is a member of. Default for admins. */
  allAvailable?: boolean
  parentId?: number
  ancestorId?: number
  isTopLevel?: boolean
  /** Only these. */
  ids?: number[]
  skip?: number[]
  search?: string
  visibility?: Visibility
  /** Not marked for deletion. */
  isActive?: boolean
  /** The date when it was marked for deletion (UTC). */
  markedOn?: string
  orderBy?: 'id' | 'name' | 'path'
  sort?: 'asc' | 'desc'
}

/** The groups that a viewer may see. */
export async function visibleGroups(em: EntityManager, viewer: Viewer | undefined, filter: GroupFilter) {
  const { orderBy = 'name', sort = 'asc' } = filter
  const isVisible = await isVisibleGroup(em, viewer, filter)

  return selectList(em, {
    from: em
      .getKysely<Tables>()
      .selectFrom('namespaces as n')
      .where(allOf(sql`n.kind = 'group'`, isVisible, matches(filter))),
    load: byId(ids => em.find(Namespace, { id: { $in: ids } }, { populate: ['fullName'] }) as Promise<Namespace[]>, 'n.id'),
    keys: [
      { sql: `n.${orderBy}`, of: (group: Namespace) => group.name, sort },
      { sql: 'n.id', type: 'bigint', of: (group: Namespace) => group.id, sort }
    ]
  })
}

/** A row of `namespaces n` is a group that the viewer sees. */
export async function isVisibleGroup(
  em: EntityManager,
  viewer: Viewer | undefined,
  { minRole, allAvailable = viewer?.isAdmin }: Pick<GroupFilter, 'minRole' | 'allAvailable'>
) {
  if (!viewer) return minRole === undefined ? sql`n.visibility = 'public'` : sql`false`
  if (minRole !== undefined) return sql`n.id = ANY (${(await membershipsOf(em, viewer, minRole)).namespaces}::bigint[])`
  if (viewer.isAdmin && allAvailable) return undefined
  const isMember = sql`n.id = ANY (${await memberGroupIds(em, viewer)}::bigint[])`

  if (!allAvailable) return isMember

  return sql`(${viewer.isExternal ? sql`n.visibility = 'public'` : sql`n.visibility <> 'private'`} OR ${isMember})`
}

function matches({ isTopLevel, search, parentId, ancestorId, ids, skip, visibility, isActive, markedOn }: GroupFilter) {
  return allOf(
    isTopLevel && sql`n.parent_id IS NULL`,
    matchesSearch(search, 'n'),
    parentId !== undefined && sql`n.parent_id = ${parentId}`,
    ancestorId !== undefined && sql`n.lineage @> ARRAY[${ancestorId}::bigint] AND n.id <> ${ancestorId}`,
    ids && sql`n.id = ANY (${ids}::bigint[])`,
    skip && sql`n.id <> ALL (${skip}::bigint[])`,
    visibility && sql`n.visibility = ${visibility}`,
    isActive !== undefined && sql`(n.marked_for_deletion_at IS NULL) = ${isActive}`,
    markedOn !== undefined && isMarkedOn('n', markedOn)
  )
}
