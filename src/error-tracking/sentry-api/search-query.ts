import { BadParameter } from '../../http/problems/problems.ts'
import type { Status } from '../groups/error-group.ts'
import type { GroupFilter } from '../groups/group-filter.ts'

/** Statuses by their names in Sentry, of which some are older. */
const statusNames: Record<string, Status> = {
  unresolved: 'unresolved',
  resolved: 'resolved',
  ignored: 'ignored',
  archived: 'ignored',
  muted: 'ignored'
}

export function statusOf(name: string) {
  return Object.hasOwn(statusNames, name) ? statusNames[name] : undefined
}

/** Reads the part of Sentry's search syntax that errors can be filtered by: `is:unresolved level:error checkout`. */
export function readSearch(search: string): GroupFilter {
  const filter: GroupFilter = { firstSeen: {}, lastSeen: {} }
  const text: string[] = []

  for (const [term] of search.matchAll(/[^\s"]*"[^"]*"|[^\s"]+/g)) {
    const [, key, value = ''] = /^(!?[\w.]+):(.*)$/s.exec(term) ?? []

    if (key) readTerm(filter, key, value.replaceAll('"', ''))
    else text.push(term.replaceAll('"', ''))
  }
  if (text.length > 0) filter.query = text.join(' ')

  return filter
}

function readTerm(filter: GroupFilter, key: string, value: string) {
  const status = key === 'is' ? statusOf(value) : undefined

  if (status) filter.status = status
  else if (key === 'is' && (value === 'assigned' || value === 'unassigned')) filter.assigneeId = value === 'assigned' ? 'Any' : 'None'
  else if (key === 'level' || key === 'environment' || key === 'release') filter[key] = value
  else throw new BadParameter(`The search term ${key}:${value} is not supported`)
}
