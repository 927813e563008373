import type { Visibility } from '../../namespaces/namespace.ts'
import { type Conditions, searched } from '../../platform/database/conditions.ts'

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

export type Order = ReturnType<typeof orderOf>

export function orderOf({ orderBy = 'id', sort = 'desc' }: ProjectFilter) {
  const columns = orders[orderBy]

  return {
    columns: columns.join(),
    by: (of: string) => `ORDER BY ${columns.map(column => `${of}.${column} ${sort}`).join(', ')}`
  }
}

/** What an index of its own finds, however rare it is. */
export function isSought({ search, topics, archived }: ProjectFilter) {
  return Boolean(search?.trim() || topics || archived)
}

/** Asks for nothing whose values could want another plan, in words that many requests share. */
export function isPlain({ idAfter, idBefore, orderBy, sort, ...narrowing }: ProjectFilter, offset: number) {
  return offset === 0 && Object.values(narrowing).every(value => value === undefined)
}

export function narrow(conditions: Conditions, filter: ProjectFilter) {
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
