import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { Namespace, type Visibility } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf, countUpTo } from '#platform/database/filter.ts'
import { isMarkedOn } from '../deletion/mark.ts'
import { memberGroupIds, membershipsOf } from '../visibility/memberships.ts'
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
  /** The day of the mark for deletion (UTC). */
  markedOn?: string
  /** The last group of the previous page, ordered by name. */
  after?: [name: string, id: number]
  orderBy?: 'id' | 'name' | 'path'
  sort?: 'asc' | 'desc'
}

/** The groups that a viewer may see. */
export async function visibleGroups(em: EntityManager, viewer: Viewer | undefined, filter: GroupFilter) {
  const { orderBy = 'name', sort = 'asc' } = filter
  const groups = em
    .getKysely<Tables>()
    .selectFrom('namespaces as n')
    .where(allOf(sql`n.kind = 'group'`, await isVisibleGroup(em, viewer, filter), matches(filter)))

  return {
    async list(limit: number, offset = 0) {
      const rows = await groups.select('n.id').orderBy(`n.${orderBy}`, sort).orderBy('n.id', sort).limit(limit).offset(offset).execute()

      return loadGroups(
        em,
        rows.map(({ id }) => id)
      )
    },
    count: (max: number) => countUpTo(em, groups, max)
  }
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

function matches({ isTopLevel, search, parentId, ancestorId, ids, skip, visibility, isActive, markedOn, after }: GroupFilter) {
  return allOf(
    isTopLevel && sql`n.parent_id IS NULL`,
    matchesSearch(search, 'n'),
    parentId !== undefined && sql`n.parent_id = ${parentId}`,
    ancestorId !== undefined && sql`n.lineage @> ARRAY[${ancestorId}::bigint] AND n.id <> ${ancestorId}`,
    ids && sql`n.id = ANY (${ids}::bigint[])`,
    skip && sql`n.id <> ALL (${skip}::bigint[])`,
    visibility && sql`n.visibility = ${visibility}`,
    isActive !== undefined && sql`(n.marked_for_deletion_at IS NULL) = ${isActive}`,
    markedOn !== undefined && isMarkedOn('n', markedOn),
    after && sql`(n.name, n.id) > (${after[0]}, ${after[1]})`
  )
}

async function loadGroups(em: EntityManager, ids: number[]) {
  const groups = await em.find(Namespace, { id: { $in: ids } }, { populate: ['fullName'] })
  const byId = new Map(groups.map(group => [group.id, group]))

  return ids.flatMap(id => byId.get(id) ?? [])
}
