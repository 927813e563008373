import type { Static } from 'typebox'
import type { EntityManager } from '../../platform/database/database.ts'
import type { AssigneeId } from '../../projects/members/assignees.ts'
import { ErrorGroup, type Status } from './error-group.ts'
import { gatherGroups, walkGroups } from './group-search.ts'

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
  assigneeId?: Static<typeof AssigneeId>
  firstSeen: { after?: Date; before?: Date }
  lastSeen: { after?: Date; before?: Date }
}

export interface GroupPage {
  column: SortColumn
  isAscending: boolean
  after?: [value: string | number, id: number]
  limit: number
}

/** Groups that are looked at in the order of the list, at first; and at most, where the first ones let hope. */
const steps = { few: 1000, many: 8000 }

/** A page of a project's errors. Whatever is asked for takes milliseconds. */
export async function listGroups(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage) {
  const ids = await findPage(em, projectId, filter, page)
  const direction = page.isAscending ? 'asc' : 'desc'

  return em.find(ErrorGroup, { id: { $in: ids } }, { orderBy: [{ [page.column]: direction }, { id: direction }] })
}

/**
 * What is frequent shows up when one walks along the order of the list: within some thousand steps, as many as the first
 * ones tell. What does not is so rare that all of it can be gathered and sorted.
 */
async function findPage(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage) {
  const near = await walkGroups(em, projectId, filter, page, steps.few)

  if (near.length === page.limit || !isNarrow(filter)) return near
  const enough = Math.ceil((1.5 * steps.few * page.limit) / near.length)
  const found = enough <= steps.many ? await walkGroups(em, projectId, filter, page, enough) : []

  return found.length === page.limit ? found : gatherGroups(em, projectId, filter, page)
}

function isNarrow({ status: _, firstSeen, lastSeen, ...others }: GroupFilter) {
  return [firstSeen.after, firstSeen.before, lastSeen.after, lastSeen.before, ...Object.values(others)].some(value => value !== undefined)
}
