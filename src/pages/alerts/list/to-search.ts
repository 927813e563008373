import { type AlertStatus, alertStatuses, openStatuses } from '#alerts/alert.ts'
import { type AlertSearch, type Page, type Position, sorts } from '#alerts/search/alert-search.ts'
import { decodeCursor } from '#api/pagination/keyset.ts'
import { BadParameter } from '#api/problems/problems.ts'
import { type Severity, severities } from '#lib/severity.ts'
import { filterProblems } from './filter-problems.ts'
import { type ListQuery, periods, type StatusTab, sortOf } from './list-query.ts'
import type { ListScope } from './list-scope.ts'
import { toTime } from './time-range.ts'

type Cursor = [direction: string, value: Position['value'], id: number, severity: Severity, status: AlertStatus]

export function toSearch(query: ListQuery, { projectIds }: ListScope, userId: number, now: Date): AlertSearch {
  const project = toId(query.project)
  const [problem] = Object.values(filterProblems(query))

  if (problem) throw new BadParameter(problem)

  return {
    projectIds: query.project ? projectIds.filter(id => id === project) : projectIds,
    statuses: statusesOf(query.status),
    severities: severitiesOf(query.severity),
    service: query.service || undefined,
    environment: query.environment || undefined,
    integrationId: toId(query.integration),
    assignee: assigneeOf(query.assignee, userId),
    startedAfter: startOf(query, now),
    startedBefore: toTime(query.to),
    words: query.search.trim() || undefined
  }
}

export function toPage(query: ListQuery, limit: number): Page {
  const sort = sortOf(query)
  const cursor = decodeCursor<Cursor>(query.cursor, 'direction', sorts[sort].kind, 'id', 'text', 'text')

  if (!cursor) return { sort, isBackwards: false, limit }
  const [direction, value, id, severity, status] = cursor

  if (!severities.includes(severity) || !alertStatuses.includes(status)) throw new BadParameter('cursor is invalid')

  return { sort, isBackwards: direction === 'before', from: { value, id, severity, status }, limit }
}

function statusesOf(tab: StatusTab): AlertStatus[] {
  if (tab === 'open') return [...openStatuses]

  return tab === 'all' ? [...alertStatuses] : [tab]
}

/** The later one of a period until now and a time. */
function startOf({ started, from }: ListQuery, now: Date) {
  const ofPeriod = started ? new Date(now.getTime() - periods[started as keyof typeof periods] * 3_600_000) : undefined
  const time = toTime(from)

  return ofPeriod && time && ofPeriod > time ? ofPeriod : (time ?? ofPeriod)
}

/** `high`, or `high+` for this severity and worse ones. */
function severitiesOf(text: string): Severity[] | undefined {
  const isOpenEnded = text.endsWith('+')
  const index = severities.indexOf((isOpenEnded ? text.slice(0, -1) : text) as Severity)

  if (index === -1) return undefined

  return severities.slice(isOpenEnded ? 0 : index, index + 1)
}

function assigneeOf(text: string, userId: number) {
  if (text === 'me') return userId

  return text === 'none' || text === 'any' ? text : toId(text)
}

function toId(text: string) {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
