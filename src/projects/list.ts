import type { Viewer } from '../identity/viewer.ts'
import { type EntityManager, query, queryPrepared } from '../platform/database.ts'
import { Conditions, searched } from './conditions.ts'
import type { Visibility } from './namespace.ts'
import { type Reach, reachOf } from './reach.ts'
import { type ShownProject, showing } from './shown.ts'

export interface ProjectFilter {
  /** Only what the viewer has this role in; otherwise everything the viewer may see. */
  least?: number
  namespaces?: number[]
  search?: string
  visibility?: Visibility
  archived?: boolean
  topics?: string[]
  repositoryStorage?: string
  idAfter?: number
  idBefore?: number
  lastActivityAfter?: Date
  lastActivityBefore?: Date
  orderBy?: keyof typeof orders
  sort?: 'asc' | 'desc'
}

/** Ids are given out in the order of creation. */
export const orders = {
  id: ['id'],
  created_at: ['id'],
  name: ['name', 'id'],
  path: ['path', 'id'],
  updated_at: ['updated_at', 'id'],
  last_activity_at: ['last_activity_at', 'id']
}

/**
 * The projects that somebody may see, in parts. Each part is read by an index, in the order that is asked for and no
 * further than needed: however many projects there are, a page costs what is on it.
 */
export async function visibleProjects(em: EntityManager, viewer: Viewer | undefined, filter: ProjectFilter) {
  const reach = viewer && needsReach(viewer, filter) ? await reachOf(em, viewer, filter.least) : undefined
  const conditions = new Conditions()
  const parts = partsFor(conditions, viewer, reach, filter)
  const { sql, values } = narrow(conditions, filter)
  const allParts = (columns: string, end: string) =>
    parts.map(part => `(SELECT ${columns} FROM projects WHERE ${part} AND ${sql} ${end})`).join(' UNION ALL ')

  return {
    async list(limit: number, offset = 0) {
      const { orderBy = 'id', sort = 'desc' } = filter
      const columns = orders[orderBy]
      const order = (of: string) => `ORDER BY ${columns.map(column => `${of}.${column} ${sort}`).join(', ')}`
      const found = allParts(columns.join(), `${order('projects')} LIMIT ${limit + offset}`)
      const wanted = `(SELECT * FROM (${found}) AS found ${order('found')} LIMIT ${limit} OFFSET ${offset})`
      const run = isPlain(filter, offset) && !reach ? queryPrepared : query
      const rows = await run<{ shown: ShownProject }>(em, `${showing(wanted)} ${order('wanted')}`, values)

      return rows.map(({ shown }) => shown)
    },
    async count(most: number) {
      const [row] = await query<{ count: string }>(
        em,
        `SELECT count(*) FROM (SELECT FROM (${allParts('', `LIMIT ${most}`)}) AS found LIMIT ${most}) AS counted`,
        values
      )

      return Number(row!.count)
    }
  }
}

function needsReach(viewer: Viewer, { least }: ProjectFilter) {
  return least !== undefined || !viewer.isAdmin
}

/** Asks for nothing whose values could want another plan, in words that many requests share. */
function isPlain({ idAfter, idBefore, orderBy, sort, ...narrowing }: ProjectFilter, offset: number) {
  return offset === 0 && Object.values(narrowing).every(value => value === undefined)
}

/** No project is in two of them. */
function partsFor(conditions: Conditions, viewer: Viewer | undefined, reach: Reach | undefined, { least }: ProjectFilter) {
  const isOpen = (visibility: Visibility) => `visibility = '${visibility}'`

  if (!viewer) return least === undefined ? [isOpen('public')] : ['false']
  if (!reach) return [isOpen('public'), isOpen('internal'), isOpen('private')]
  const own = [
    conditions.bind('namespace_id = ANY (?::bigint[])', reach.namespaces),
    conditions.bind('id = ANY (?::bigint[]) AND namespace_id <> ALL (?::bigint[])', reach.projects, reach.namespaces)
  ]

  if (least !== undefined) return own
  if (viewer.isExternal) return [isOpen('public'), ...own.map(part => `visibility <> 'public' AND ${part}`)]

  return [isOpen('public'), isOpen('internal'), ...own.map(part => `${isOpen('private')} AND ${part}`)]
}

function narrow(conditions: Conditions, filter: ProjectFilter) {
  return searched(conditions, filter.search)
    .add('namespace_id = ANY (?::bigint[])', filter.namespaces)
    .add('visibility = ?', filter.visibility)
    .add('is_archived = ?', filter.archived)
    .add('topics @> ?::text[]', filter.topics)
    .add('repository_storage = ?', filter.repositoryStorage)
    .add('id > ?', filter.idAfter)
    .add('id < ?', filter.idBefore)
    .add('last_activity_at > ?', filter.lastActivityAfter)
    .add('last_activity_at < ?', filter.lastActivityBefore)
}
