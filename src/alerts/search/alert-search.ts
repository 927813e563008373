import type { Severity } from '#lib/severity.ts'
import type { AlertStatus } from '../alert.ts'

/** What a list of alerts shows, over one project or several. */
export interface AlertSearch {
  projectIds: number[]
  statuses: AlertStatus[]
  severities?: Severity[]
  service?: string
  environment?: string
  integrationId?: number
  /** The id of a user, or whether the alert has assignees. */
  assignee?: number | 'none' | 'any'
  startedAfter?: Date
  startedBefore?: Date
  /** Part of the title, description, service or monitoring tool. */
  words?: string
}

interface SortOrder {
  column: 'started_at' | 'last_seen_at' | 'events'
  isAscending: boolean
  /** The type of the column's values in cursors. */
  kind: 'time' | 'id'
  /** The most severe first, then by the column. */
  bySeverity?: boolean
  /** Before that, triggered alerts before acknowledged ones. */
  byStatus?: boolean
  /** Has no index, because each occurrence changes the column. */
  isScanned?: boolean
}

export const sorts = {
  triage: { column: 'started_at', isAscending: false, kind: 'time', bySeverity: true, byStatus: true },
  newest: { column: 'started_at', isAscending: false, kind: 'time' },
  oldest: { column: 'started_at', isAscending: true, kind: 'time' },
  severity: { column: 'started_at', isAscending: false, kind: 'time', bySeverity: true },
  last_seen: { column: 'last_seen_at', isAscending: false, kind: 'time', isScanned: true },
  events: { column: 'events', isAscending: false, kind: 'id', isScanned: true }
} satisfies Record<string, SortOrder>

export type Sort = keyof typeof sorts

export interface Position {
  /** Of the sort order's column. */
  value: string | number
  id: number
  severity: Severity
  status: AlertStatus
}

export interface Page {
  sort: Sort
  /** The page after this position; backwards, the one before it. */
  from?: Position
  isBackwards: boolean
  limit: number
}

export function orderOf({ sort, isBackwards }: Page): SortOrder {
  const order: SortOrder = sorts[sort]

  return isBackwards ? { ...order, isAscending: !order.isAscending } : order
}
