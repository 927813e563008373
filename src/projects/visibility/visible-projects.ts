import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { Visibility } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import { type Column, type List, selectAs, selectList } from '#platform/database/list.ts'
import { isMarkedOn } from '../deletion/mark.ts'
import { isActive } from '../members/roles.ts'
import type { ProjectRow } from '../present-project.ts'
import { projectJson } from '../project-store.ts'
import { isWithin, membershipsOf } from './membership-store.ts'
import { matchesSearch } from './search.ts'

export interface ProjectFilter {
  /** Only these. */
  ids?: number[]
  /** Only projects in which the viewer has this role. */
  minRole?: number
  namespaces?: number[]
  /** Projects that are shared with this group; together with `namespaces`, those in either. */
  sharedWith?: number
  search?: string
  /** The id of a user. */
  starredBy?: number
  visibility?: Visibility
  archived?: boolean
  /** Neither archived nor marked for deletion. */
  isActive?: boolean
  /** Date of the mark for deletion (UTC). */
  markedOn?: string
  topics?: string[]
  repositoryStorage?: string
  idAfter?: number
  idBefore?: number
  lastActivityAfter?: Date
  lastActivityBefore?: Date
  orderBy?: keyof typeof orders
  sort?: 'asc' | 'desc'
}

const id = { sql: 'p.id', type: 'bigint', of: project => project.id } satisfies Column<ProjectRow>

/** Ids ascend in the order of creation. */
export const orders = {
  id: () => id,
  created_at: () => id,
  name: () => ({ sql: 'p.name' }),
  path: () => ({ sql: 'p.path' }),
  updated_at: () => ({ sql: 'p.updated_at' }),
  last_activity_at: () => ({ sql: 'p.last_activity_at' }),
  star_count: () => ({ sql: sql`(SELECT count(*) FROM project_stars s WHERE s.project_id = p.id)` }),
  similarity: ({ search = '' }: ProjectFilter) => ({ sql: similarityTo(search) })
} as const

/** The whole name before its beginning before the rest, as in GitLab; nothing is similar without a search. */
function similarityTo(search: string) {
  const text = search.toLowerCase()
  const starts = sql`starts_with(lower(p.name), ${text}) OR starts_with(lower(p.path), ${text})`

  return sql`CASE WHEN ${text} IN (lower(p.name), lower(p.path)) THEN 2 WHEN ${starts} THEN 1 ELSE 0 END`
}

/** The projects that a viewer may see. */
export async function visibleProjects(em: EntityManager, viewer: Viewer | undefined, filter: ProjectFilter): Promise<List<ProjectRow>> {
  const { orderBy = 'id', sort = 'desc' } = filter
  const order: Column<ProjectRow> = orders[orderBy](filter)
  const db = em.getKysely<Tables>()

  return selectList(em, {
    from: db.selectFrom('projects as p').where(allOf(await isVisibleProject(em, viewer, filter.minRole), matches(filter))),
    load: (page, { inOrder }) =>
      selectAs(inOrder(db.selectFrom(page.selectAll('p').as('p')).innerJoin('namespaces as n', 'n.id', 'p.namespace_id')), projectJson),
    keys: [...(order === id ? [] : [{ ...order, sort }]), { ...id, sort }]
  })
}

/** A row of `projects p` is one that the viewer sees, or in which they have the role. */
export async function isVisibleProject(em: EntityManager, viewer: Viewer | undefined, minRole?: number) {
  if (!viewer) return minRole === undefined ? sql`p.visibility = 'public'` : sql`false`
  if (minRole !== undefined) return isWithin(await membershipsOf(em, viewer, minRole), 'p')
  if (viewer.isAdmin) return sql`true`
  const isOpen = viewer.isExternal ? sql`p.visibility = 'public'` : sql`p.visibility <> 'private'`

  return sql`(${isOpen} OR ${isWithin(await membershipsOf(em, viewer), 'p')})`
}

function isIn({ namespaces, sharedWith }: ProjectFilter) {
  const isOwn = namespaces && sql`p.namespace_id = ANY (${namespaces}::bigint[])`
  const isShared =
    sharedWith !== undefined &&
    sql`p.id IN (SELECT s.project_id FROM group_shares s WHERE s.with_group_id = ${sharedWith} AND ${isActive('s')})`

  return isOwn && isShared ? sql`(${isOwn} OR ${isShared})` : isOwn || isShared
}

function matches(filter: ProjectFilter) {
  return allOf(
    matchesSearch(filter.search, 'p'),
    isIn(filter),
    filter.ids && sql`p.id = ANY (${filter.ids}::bigint[])`,
    filter.starredBy !== undefined && sql`p.id IN (SELECT s.project_id FROM project_stars s WHERE s.user_id = ${filter.starredBy})`,
    filter.visibility && sql`p.visibility = ${filter.visibility}`,
    filter.archived !== undefined && sql`p.is_archived = ${filter.archived}`,
    filter.isActive !== undefined && sql`(p.read_only_reason IS NULL) = ${filter.isActive}`,
    filter.markedOn !== undefined && isMarkedOn('p', filter.markedOn),
    filter.topics && sql`p.topics @> ${filter.topics}::text[]`,
    filter.repositoryStorage && sql`p.id IN (SELECT r.project_id FROM repositories r WHERE r.storage = ${filter.repositoryStorage})`,
    filter.idAfter !== undefined && sql`p.id > ${filter.idAfter}`,
    filter.idBefore !== undefined && sql`p.id < ${filter.idBefore}`,
    filter.lastActivityAfter && sql`p.last_activity_at > ${filter.lastActivityAfter}`,
    filter.lastActivityBefore && sql`p.last_activity_at < ${filter.lastActivityBefore}`
  )
}
