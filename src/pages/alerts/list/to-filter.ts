import { type AlertStatus, alertStatuses, openStatuses } from '#alerts/alert.ts'
import type { AlertFilter } from '#alerts/alert-filter.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { type Severity, severities } from '#lib/severity.ts'
import { filterProblems } from './filter-problems.ts'
import { type ListQuery, type StatusTab, toMs } from './list-query.ts'
import type { ListScope } from './list-scope.ts'
import { toTime } from './time-range.ts'

export function toFilter(
  query: ListQuery,
  { projectIds }: ListScope,
  userId: number,
  now: Date
): AlertFilter & { statuses: AlertStatus[] } {
  const project = toId(query.project)
  const [problem] = Object.values(filterProblems(query))

  if (problem) throw new InvalidInput(problem)

  return {
    projectIds: query.project ? projectIds.filter(id => id === project) : projectIds,
    statuses: statusesOf(query.status),
    severities: severitiesOf(query.severity),
    service: query.service || undefined,
    environment: query.environment || undefined,
    integrationId: toId(query.integration),
    assigneeId: assigneeOf(query.assignee, userId),
    startedAfter: startOf(query, now),
    startedBefore: toTime(query.to),
    search: query.search.trim() || undefined
  }
}

function statusesOf(tab: StatusTab): AlertStatus[] {
  if (tab === 'open') return [...openStatuses]

  return tab === 'all' ? [...alertStatuses] : [tab]
}

/** The later one of a period until now and a time. */
function startOf({ started, from }: ListQuery, now: Date) {
  const ofPeriod = started ? new Date(now.getTime() - toMs(started)) : undefined
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
