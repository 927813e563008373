import { type AlertStatus, alertStatuses, openStatuses } from '../../../../alerts/alert.ts'
import { type AlertSearch, type Page, type Position, type Sort, sorts } from '../../../../alerts/search/alert-search.ts'
import { decodeCursor } from '../../../../http/pagination/keyset.ts'
import { BadParameter } from '../../../../http/problems/problems.ts'
import { type Severity, severities } from '../../../../lib/severity.ts'
import { filterProblems } from './filter-problems.ts'
import type { ListScope } from './list-scope.ts'
import { readTime, type TimeRange, toTime } from './time-range.ts'

export const statusTabs = ['open', ...alertStatuses, 'all'] as const
export type StatusTab = (typeof statusTabs)[number]

/** As in the address of the page. Empty values do not filter. */
export interface ListQuery extends TimeRange {
  status: StatusTab
  search: string
  severity: string
  service: string
  environment: string
  integration: string
  /** `me`, `none`, `any` or the id of a user. */
  assignee: string
  started: string
  project: string
  /** Empty for the default of the status. */
  sort: Sort | ''
  cursor: string
}

export const noFilters: ListQuery = {
  status: 'open',
  search: '',
  severity: '',
  service: '',
  environment: '',
  integration: '',
  assignee: '',
  started: '',
  from: '',
  to: '',
  project: '',
  sort: '',
  cursor: ''
}

/** Hours. */
export const periods = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 }

const maxLength = 255

type Cursor = [direction: string, value: Position['value'], id: number, severity: Severity, status: AlertStatus]

/** Unknown values are replaced by the defaults. Times without a zone are those of the reader's. */
export function readListQuery(given: unknown, zone: string): ListQuery {
  const texts = given as Record<string, string | string[] | undefined>
  const read = (name: string) => String([texts[name] ?? ''].flat()[0] ?? '').replaceAll('\0', '')
  const query = Object.fromEntries(Object.keys(noFilters).map(name => [name, read(name).slice(0, name === 'cursor' ? 1000 : maxLength)]))
  const { sort = '', started = '', from = '', to = '' } = query
  const status = statusTabs.find(tab => tab === query.status) ?? 'open'

  return {
    ...noFilters,
    ...query,
    status,
    sort: Object.hasOwn(sorts, sort) && sort !== defaultSort(status) ? (sort as Sort) : '',
    started: Object.hasOwn(periods, started) ? started : '',
    from: readTime(from, zone),
    to: readTime(to, zone)
  }
}

/** What is over has no order of urgency. */
function defaultSort(tab: StatusTab): Sort {
  return tab === 'resolved' || tab === 'ignored' ? 'newest' : 'triage'
}

export function sortOf({ sort, status }: ListQuery) {
  return sort || defaultSort(status)
}

export function listUrl({ path }: Pick<ListScope, 'path'>, query: Partial<ListQuery>) {
  const given = Object.entries(query).filter(([name, value]) => value !== noFilters[name as keyof ListQuery])
  const search = new URLSearchParams(given).toString()

  return `${path}${search && `?${search}`}`
}

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
