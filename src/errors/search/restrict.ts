import type { GroupCondition } from '../groups/group-condition.ts'
import type { GroupFilter } from '../groups/group-filter.ts'

/** Errors that both filters let through. */
export function restrict(filter: GroupFilter, other: GroupFilter): GroupFilter {
  const conditions = [...(filter.conditions ?? []), ...conditionsOf(filter, other)]

  return {
    ...filter,
    status: other.status ?? filter.status,
    environment: other.environment ?? filter.environment,
    release: other.release ?? filter.release,
    level: other.level ?? filter.level,
    assignee: other.assignee ?? filter.assignee,
    tags: both(filter.tags, other.tags),
    firstSeen: within(filter.firstSeen, other.firstSeen),
    lastSeen: within(filter.lastSeen, other.lastSeen),
    ...(conditions.length > 0 && { conditions })
  }
}

/** What the first filter requires where the second one has a value of its own. */
function conditionsOf(filter: GroupFilter, other: GroupFilter) {
  const conditions: GroupCondition[] = []

  if (filter.status && other.status) conditions.push({ status: filter.status })
  if (filter.assignee !== undefined && other.assignee !== undefined) conditions.push({ assignee: filter.assignee })
  if (filter.level && other.level) conditions.push({ field: 'level', match: { text: filter.level, how: 'equal' } })
  if (filter.environment && other.environment) conditions.push({ list: 'environments', match: { text: filter.environment, how: 'equal' } })
  if (filter.release && other.release) conditions.push({ list: 'releases', match: { text: filter.release, how: 'equal' } })

  return conditions
}

function both(one: string[] | undefined, other: string[] | undefined) {
  return one && other ? [...one, ...other] : (one ?? other)
}

type Range = GroupFilter['firstSeen']

function within(one: Range, other: Range): Range {
  const later = [one.after, other.after].filter(time => time !== undefined).toSorted((a, b) => b.getTime() - a.getTime())
  const earlier = [one.before, other.before].filter(time => time !== undefined).toSorted((a, b) => a.getTime() - b.getTime())

  return { ...(later[0] && { after: later[0] }), ...(earlier[0] && { before: earlier[0] }) }
}
