import type { EntityManager } from '#platform/database/database.ts'
import { ErrorGroup } from './error-group.ts'
import type { GroupFilter, GroupPage } from './group-filter.ts'
import { scanGroups, searchGroups } from './group-search.ts'

/** A page of a project's errors. */
export async function listGroups(em: EntityManager, projectId: number, filter: GroupFilter, page: GroupPage) {
  const ids = await findPage(em, projectId, filter, page)
  const direction = page.isAscending ? 'asc' : 'desc'

  return em.find(ErrorGroup, { id: { $in: ids } }, { orderBy: [{ [page.column]: direction }, { id: direction }] })
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
