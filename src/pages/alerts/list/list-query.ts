import { alertStatuses } from '#alerts/alert.ts'
import { type AlertSort, sorts } from '#alerts/search/candidates.ts'
import { listAddress } from '#pages/list.ts'
import type { ListScope } from './list-scope.ts'
import { readTime, type TimeRange } from './time-range.ts'

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
  sort: AlertSort | ''
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

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** A period until now, such as `24h`. */
export function isStarted(text: string) {
  return /^[1-9]\d{0,3}[mhdw]$/.test(text)
}

export function toMs(period: string) {
  return Number(period.slice(0, -1)) * units[period.at(-1) as keyof typeof units]
}

const maxLength = 255

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
    sort: Object.hasOwn(sorts, sort) && sort !== defaultSort(status) ? (sort as AlertSort) : '',
    started: isStarted(started) ? started : '',
    from: readTime(from, zone),
    to: readTime(to, zone)
  }
}

/** The most severe open alerts come first, acknowledged or not. Resolved and ignored alerts have no order of urgency. */
function defaultSort(tab: StatusTab): AlertSort {
  if (tab === 'all') return 'triage'

  return tab === 'resolved' || tab === 'ignored' ? 'newest' : 'severity'
}

export function sortOf({ sort, status }: ListQuery) {
  return sort || defaultSort(status)
}

export function listUrl({ path }: Pick<ListScope, 'path'>, query: Partial<ListQuery>) {
  return listAddress(path, query, noFilters)
}
