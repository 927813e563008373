import type { AssigneeFilter } from './assignee-filter.ts'
import type { Status } from './error-group.ts'
import type { GroupCondition } from './group-condition.ts'

/** Sort orders of the API: the column and the type of its cursor. */
export const sorts = {
  last_seen: { column: 'lastSeenAt', kind: 'time' },
  first_seen: { column: 'firstSeenAt', kind: 'time' },
  event_count: { column: 'events', kind: 'id' },
  user_count: { column: 'users', kind: 'id' },
  priority: { column: 'priority', kind: 'id' }
} as const

export type Sort = keyof typeof sorts
export type SortColumn = (typeof sorts)[keyof typeof sorts]['column']

/** Inclusive. */
interface TimeRange {
  after?: Date
  before?: Date
}

export const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const

export interface GroupFilter {
  status?: Status
  /** Each is part of the name, description or actor. */
  texts?: string[]
  environment?: string
  release?: string
  level?: string
  assignee?: AssigneeFilter
  /** Resolved or ignored once, and reopened by an event. */
  isRegressed?: boolean
  /** Tags of the events: `browser.name=Firefox`. All of them are required. */
  tags?: string[]
  firstSeen: TimeRange
  lastSeen: TimeRange
  /** All of them are required. */
  conditions?: GroupCondition[]
}

export type GroupPosition = [value: string | number, id: number]

export interface GroupPage {
  column: SortColumn
  isAscending: boolean
  after?: GroupPosition | undefined
  limit: number
}
