import { type Period, periods } from '#errors/groups/frequency.ts'
import { type Sort, sorts } from '#errors/groups/group-filter.ts'
import { listAddress } from '#pages/list.ts'
import type { PageContext } from '#pages/projects/page-context.ts'

export interface ListQuery {
  query: string
  sort: Sort
  /** Period of the charts. */
  period: Period
  cursor?: string
}

export const defaultSearch = 'is:unresolved'
const defaults = { query: defaultSearch, sort: 'last_seen', period: '24h', cursor: '' }
const maxSearchLength = 500

/** Unknown values are replaced by the defaults. */
export function readListQuery(given: unknown): ListQuery {
  const { query = defaultSearch, sort, period, cursor } = given as Record<string, string | undefined>

  return {
    query: String(query).replaceAll('\0', '').slice(0, maxSearchLength).trim(),
    sort: sort && Object.hasOwn(sorts, sort) ? (sort as Sort) : 'last_seen',
    period: period && Object.hasOwn(periods, period) ? (period as Period) : '24h',
    cursor: cursor ? String(cursor) : undefined
  }
}

export function listUrl({ projectUrl }: Pick<PageContext, 'projectUrl'>, query: Partial<ListQuery>) {
  return listAddress(`${projectUrl}/errors`, query, defaults)
}
