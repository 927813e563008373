import type { EntityManager } from '#platform/database/database.ts'
import { inOrderOf, type Keyset } from '#platform/database/list.ts'
import { ErrorGroup } from './error-group.ts'
import { type GroupFilter, type GroupPage, type GroupPosition, type Sort, sorts } from './group-filter.ts'
import { scanGroups, searchGroups } from './group-search-store.ts'

/** A project's errors by a column, and by id where that is equal. */
export function listGroups(em: EntityManager, projectId: number, filter: GroupFilter, sort: Sort = 'last_seen', isAscending = false) {
  const { column, kind } = sorts[sort]

  return {
    kinds: [kind, 'id'],
    positionOf: group => [sortValue(group[column]), group.id],
    async read({ isBackwards = false, ...slice }) {
      const page = { ...slice, column, isAscending: isAscending !== isBackwards }
      const ids = await findPage(em, projectId, filter, page)

      return inOrderOf(ids, await em.find(ErrorGroup, { id: { $in: ids } }))
    }
  } satisfies Keyset<ErrorGroup, GroupPosition>
}

function sortValue(value: number | Date) {
  return typeof value === 'number' ? value : value.toISOString()
}

/** Number of groups to scan in list order. */
const scanned = { first: 1000, max: 8000 }

/**
 * Frequent matches are found by scanning in list order; the first scan estimates how many groups the page needs. Rare matches
 * are found by index, then sorted.
 */
async function findPage(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage) {
  const first = await scanGroups(em, projectId, filter, page, scanned.first)

  if (first.length === page.limit || !isSelective(filter)) return first
  const needed = Math.ceil((1.5 * scanned.first * page.limit) / first.length)
  const found = needed <= scanned.max ? await scanGroups(em, projectId, filter, page, needed) : []

  return found.length === page.limit ? found : searchGroups(em, projectId, filter, page)
}

function isSelective({ status: _, firstSeen, lastSeen, ...others }: GroupFilter) {
  return [firstSeen.after, firstSeen.before, lastSeen.after, lastSeen.before, ...Object.values(others)].some(value => value !== undefined)
}
