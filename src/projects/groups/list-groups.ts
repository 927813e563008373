import type { Viewer } from '../../identity/viewer.ts'
import { Namespace, type Visibility } from '../../namespaces/namespace.ts'
import { Conditions, searched } from '../../platform/database/conditions.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { groupsSeenBy, reachOf } from '../visibility/visible-groups.ts'

export interface GroupFilter {
  /** Only what the viewer has this role in. */
  least?: number
  /** Without it, somebody signed in gets only the groups that they see as a member. */
  allAvailable?: boolean
  parentId?: number
  ancestorId?: number
  isTopLevel?: boolean
  skip?: number[]
  search?: string
  visibility?: Visibility
  /** Where the page before ended, in the order of names. */
  after?: [name: string, id: number]
  orderBy?: 'id' | 'name' | 'path'
  sort?: 'asc' | 'desc'
}

/** The groups that somebody may see. */
export async function visibleGroups(em: EntityManager, viewer: Viewer | undefined, filter: GroupFilter) {
  const { sql, values } = narrow(await scope(em, viewer, filter), filter)

  return {
    async list(limit: number, offset = 0) {
      const { orderBy = 'name', sort = 'asc' } = filter
      const paging = `ORDER BY ${orderBy} ${sort}, id ${sort} LIMIT ${limit} OFFSET ${offset}`

      return load(em, await query<{ id: string }>(em, `SELECT id FROM namespaces WHERE ${sql} ${paging}`, values))
    },
    async count(most: number) {
      const [row] = await query<{ count: string }>(
        em,
        `SELECT count(*) FROM (SELECT FROM namespaces WHERE ${sql} LIMIT ${most}) AS counted`,
        values
      )

      return Number(row!.count)
    }
  }
}

async function scope(em: EntityManager, viewer: Viewer | undefined, { least, allAvailable = viewer?.isAdmin }: GroupFilter) {
  const conditions = new Conditions().add(`kind = 'group'`)

  if (!viewer) return conditions.add(least === undefined ? `visibility = 'public'` : 'false')
  if (least !== undefined) return conditions.add('id = ANY (?::bigint[])', (await reachOf(em, viewer, least)).namespaces)
  if (viewer.isAdmin && allAvailable) return conditions
  const seen = await groupsSeenBy(em, viewer)

  if (!allAvailable) return conditions.add('id = ANY (?::bigint[])', seen)

  return conditions.add('(visibility = ANY (?) OR id = ANY (?::bigint[]))', viewer.isExternal ? ['public'] : ['public', 'internal'], seen)
}

function narrow(conditions: Conditions, filter: GroupFilter) {
  if (filter.isTopLevel) conditions.add('parent_id IS NULL')

  return searched(conditions, filter.search)
    .add('parent_id = ?', filter.parentId)
    .add('lineage @> ARRAY[?::bigint] AND id <> ?', filter.ancestorId, filter.ancestorId)
    .add('id <> ALL (?::bigint[])', filter.skip)
    .add('visibility = ?', filter.visibility)
    .add('(name, id) > (?, ?)', ...(filter.after ?? [undefined]))
}

async function load(em: EntityManager, rows: { id: string }[]) {
  const ids = rows.map(({ id }) => Number(id))
  const groups = await em.find(Namespace, { id: { $in: ids } }, { populate: ['fullName'] })
  const byId = new Map(groups.map(group => [group.id, group]))

  return ids.flatMap(id => byId.get(id) ?? [])
}
