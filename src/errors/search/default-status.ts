import type { Status } from '../groups/error-group.ts'
import type { GroupCondition } from '../groups/group-condition.ts'
import type { GroupFilter } from '../groups/group-filter.ts'

/** The status that a request asks for; unresolved by default, unless its search names a status. */
export function statusOrDefault(given: Status | 'all' | undefined, search: GroupFilter): Status | undefined {
  if (given !== undefined) return given === 'all' ? undefined : given

  return search.status || search.conditions?.some(namesStatus) ? undefined : 'unresolved'
}

function namesStatus(condition: GroupCondition): boolean {
  if ('all' in condition) return condition.all.some(namesStatus)
  if ('any' in condition) return condition.any.some(namesStatus)

  return 'not' in condition ? namesStatus(condition.not) : 'status' in condition
}
