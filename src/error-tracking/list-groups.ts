import type { FilterQuery } from '@mikro-orm/core'
import type { EntityManager } from '../platform/database.ts'
import { ErrorGroup, type Status } from './group.ts'

/** By what a list can be sorted: the wire's word, the column, and the kind of its cursor. */
export const sorts = {
  last_seen: { column: 'lastSeenAt', kind: 'time' },
  first_seen: { column: 'firstSeenAt', kind: 'time' },
  event_count: { column: 'events', kind: 'id' },
  user_count: { column: 'users', kind: 'id' }
} as const

export type SortColumn = (typeof sorts)[keyof typeof sorts]['column']

export interface GroupFilter {
  status?: Status
  query?: string
  environment?: string
  release?: string
  level?: string
  assigneeId?: number
  firstSeen: { after?: Date; before?: Date }
  lastSeen: { after?: Date; before?: Date }
}

export interface GroupPage {
  column: SortColumn
  isAscending: boolean
  after?: [value: string | number, id: number]
  limit: number
}

/** A page of a project's errors. */
export async function listGroups(
  em: EntityManager,
  projectId: number,
  filter: GroupFilter,
  { column, isAscending, after, limit }: GroupPage
) {
  const direction = isAscending ? 'asc' : 'desc'

  return em.find(
    ErrorGroup,
    { $and: [{ projectId }, ...conditions(filter), ...(after ? [beyond(column, isAscending, after)] : [])] },
    { orderBy: [{ [column]: direction }, { id: direction }], limit }
  )
}

function conditions({
  status,
  query,
  environment,
  release,
  level,
  assigneeId,
  firstSeen,
  lastSeen
}: GroupFilter): FilterQuery<ErrorGroup>[] {
  return [
    status && { status },
    query && { $or: ['name', 'description', 'actor'].map(column => ({ [column]: { $ilike: `%${query.replace(/[\\%_]/g, '\\$&')}%` } })) },
    environment && { environments: { $contains: [environment] } },
    release && { releases: { $contains: [release] } },
    level && { level },
    assigneeId !== undefined && { assigneeId },
    ...range('firstSeenAt', firstSeen),
    ...range('lastSeenAt', lastSeen)
  ].filter(Boolean) as FilterQuery<ErrorGroup>[]
}

function range(column: 'firstSeenAt' | 'lastSeenAt', { after, before }: { after?: Date; before?: Date }) {
  return [after && { [column]: { $gte: after } }, before && { [column]: { $lte: before } }]
}

function beyond(column: SortColumn, isAscending: boolean, [value, id]: [string | number, number]): FilterQuery<ErrorGroup> {
  const at = typeof value === 'string' ? new Date(value) : value
  const operator = isAscending ? '$gt' : '$lt'

  return { $or: [{ [column]: { [operator]: at } }, { [column]: at, id: { [operator]: id } }] } as FilterQuery<ErrorGroup>
}
