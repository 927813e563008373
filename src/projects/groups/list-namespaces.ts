import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import type { JsonRow } from '#platform/database/json-row.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import { Role } from '../members/member.ts'
import { memberGroupIds, membershipsOf } from '../visibility/membership-store.ts'
import { matchesSearch } from '../visibility/search.ts'

export interface NamespaceFilter {
  /** Only this one. */
  id?: number
  search?: string
  isOwned?: boolean
  /** Also those that the user is no member of. */
  isAnywhere?: boolean
  isTopLevel?: boolean
}

export type NamespaceRow = JsonRow<Tables['namespaces']> & {
  /** The avatar of the user whose namespace it is. */
  user_avatar: string | null
  /** In a group and its subgroups. Null for those who do not own it, like the other counts. */
  members: number | null
  projects: number | null
  repository_size: number | null
}

/** The user's own namespace and the groups that they are a member of; all namespaces for admins. */
export async function listNamespaces(em: EntityManager, viewer: Viewer, filter: NamespaceFilter) {
  const { namespaces: owned } = await membershipsOf(em, viewer, Role.owner)
  const available = filter.isOwned ? owned : viewer.isAdmin || filter.isAnywhere ? undefined : await memberGroupIds(em, viewer)
  const namespaces = em
    .getKysely<Tables>()
    .selectFrom('namespaces as n')
    .where(
      allOf(
        available && sql`(n.id = ANY (${available}::bigint[]) OR n.owner_id = ${viewer.id})`,
        filter.id !== undefined && sql`n.id = ${filter.id}`,
        filter.isTopLevel && sql`n.parent_id IS NULL`,
        matchesSearch(filter.search, 'n')
      )
    )
  const isCounted = viewer.isAdmin ? sql`true` : sql`n.id = ANY (${owned}::bigint[])`

  return selectList(em, { from: namespaces, load: page => selectAs(page, namespaceJson(isCounted)), keys: ['n.id'] })
}

function namespaceJson(isCounted: ReturnType<typeof sql>) {
  const within = sql`SELECT d.id FROM namespaces d WHERE d.lineage @> ARRAY[n.id]`

  return sql<NamespaceRow>`to_jsonb(n) || jsonb_build_object(
    'user_avatar', (SELECT u.avatar FROM users u WHERE u.id = n.owner_id),
    'members', CASE WHEN ${isCounted} AND n.kind = 'group'
      THEN (SELECT count(DISTINCT m.user_id) FROM members m WHERE m.group_id IN (${within})) END,
    'projects', CASE WHEN ${isCounted} AND n.parent_id IS NULL
      THEN (SELECT count(*) FROM projects p WHERE p.namespace_id IN (${within})) END,
    'repository_size', CASE WHEN ${isCounted} AND n.parent_id IS NULL
      THEN (SELECT coalesce(sum(r.size_bytes), 0) FROM repositories r JOIN projects p ON p.id = r.project_id
            WHERE p.namespace_id IN (${within})) END)`
}
