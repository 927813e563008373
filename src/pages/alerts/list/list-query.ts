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

/** Hours. */
export const periods = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 }

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
    started: Object.hasOwn(periods, started) ? started : '',
    from: readTime(from, zone),
    to: readTime(to, zone)
  }
}

/** Resolved and ignored alerts have no order of urgency. */
function defaultSort(tab: StatusTab): AlertSort {
  return tab === 'resolved' || tab === 'ignored' ? 'newest' : 'triage'
}

export function sortOf({ sort, status }: ListQuery) {
  return sort || defaultSort(status)
}

export function listUrl({ path }: Pick<ListScope, 'path'>, query: Partial<ListQuery>) {
  return listAddress(path, query, noFilters)
}
