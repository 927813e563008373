import { SearchProblem } from '#lib/search/split-search.ts'
import type { AssigneeFilter } from '../groups/assignee-filter.ts'
import { type Status, statuses } from '../groups/error-group.ts'
import type { Comparison, GroupCondition, TextMatch } from '../groups/group-condition.ts'
import { levels } from '../groups/group-filter.ts'
import { type Priority, priorities, priorityValue } from '../groups/priority.ts'
import { isNewer } from '../releases/release-order.ts'

export interface SearchContext {
  now: Date
  /** `me`, who also has what the user's groups have, a username, or `#` and the path of a group. */
  findAssignee: (name: string) => Promise<AssigneeFilter | undefined>
  /** Whether any error of the project has a tag of this name. */
  hasTag: (name: string) => Promise<boolean>
  /** The id of the error with this event. */
  findByEvent: (eventId: string) => Promise<number | undefined>
  /** When each release of the project was first seen. */
  listReleases: () => Promise<Map<string, Date>>
}

interface Given {
  /** As it was written. */
  name: string
  value: string
  isQuoted?: boolean | undefined
}

type Read = (given: Given, context: SearchContext) => GroupCondition | Promise<GroupCondition>

/** What errors can be searched by, beside words and tags. */
export const conditions: Record<string, Read> = {
  is: readIs,
  assigned: readAssigned,
  level: given => (given.value.includes('*') ? { field: 'level', match: textMatch(given.value) } : readLevel(given)),
  priority: readPriority,
  environment: ({ value, isQuoted }) => ({ list: 'environments', match: textMatch(value, isQuoted) }),
  release: readRelease,
  'first-release': ({ value, isQuoted }) => ({ field: 'first_release', match: textMatch(value, isQuoted) }),
  'first-seen': (given, { now }) => readTime('firstSeenAt', given, now),
  'last-seen': (given, { now }) => readTime('lastSeenAt', given, now),
  events: given => readCount('events', given),
  users: given => readCount('users', given),
  title: ({ value }) => ({ field: 'title', match: partMatch(value) }),
  message: ({ value }) => ({ field: 'description', match: partMatch(value) }),
  'error.type': ({ value, isQuoted }) => ({ field: 'type', match: textMatch(value, isQuoted) }),
  platform: ({ value, isQuoted }) => ({ field: 'platform', match: textMatch(value, isQuoted) }),
  transaction: ({ value, isQuoted }) => ({ tag: 'transaction', match: textMatch(value, isQuoted) }),
  file: ({ value }) => ({ place: 'file', match: pathMatch(value) }),
  function: ({ value, isQuoted }) => ({ place: 'function', match: textMatch(value, isQuoted) }),
  module: ({ value, isQuoted }) => ({ place: 'module', match: textMatch(value, isQuoted) }),
  has: readHas
}

/** Equal, unless there is a `*` outside of quotes. */
export function textMatch(value: string, isQuoted = false): TextMatch {
  return { text: value, how: value.includes('*') && !isQuoted ? 'pattern' : 'equal' }
}

/** Contained, unless there is a `*`. */
function partMatch(value: string): TextMatch {
  return { text: value, how: value.includes('*') ? 'pattern' : 'contained' }
}

/** `cart.ts` finds `src/shop/cart.ts`. */
function pathMatch(value: string): TextMatch {
  return { text: value.includes('*') ? value : `*${value}`, how: 'pattern' }
}

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

const dayMs = 24 * 60 * 60 * 1000
/** What `is:` is used with. */
export const isValues = [...statuses, 'assigned', 'unassigned', 'new', 'regressed']

function readIs({ value }: Given, { now }: SearchContext): GroupCondition {
  const status = statusOf(value)

  if (status) return { status }
  if (value === 'assigned') return { assignee: 'Any' }
  if (value === 'unassigned') return { assignee: 'None' }
  if (value === 'new') return { seen: 'firstSeenAt', comparison: '>=', at: new Date(now.getTime() - dayMs) }
  if (value === 'regressed') return { isRegressed: true }
  throw new SearchProblem(`is:${value} is not supported. Use is: with ${isValues.join(', ')}`)
}

async function readAssigned({ value }: Given, { findAssignee }: SearchContext): Promise<GroupCondition> {
  const assignee = value === 'none' ? 'None' : await findAssignee(value.replace(/^@/, ''))

  if (assignee === undefined)
    throw new SearchProblem(
      `assigned:${value}: there is no ${/[#/]/.test(value) ? 'group of this project with this path' : 'user with this name'}. Use me, none, a username or #group/path`
    )

  return { assignee }
}

function readPriority({ name, value }: Given): GroupCondition {
  if (!(priorities as readonly string[]).includes(value))
    throw new SearchProblem(`${name}:${value} is not supported. Use ${name}: with ${priorities.join(', ')}`)

  return { priority: priorityValue(value as Priority) }
}

function readLevel({ name, value }: Given): GroupCondition {
  if (!(levels as readonly string[]).includes(value))
    throw new SearchProblem(`${name}:${value} is not supported. Use ${name}: with ${levels.join(', ')}`)

  return { field: 'level', match: { text: value, how: 'equal' } }
}

const comparison = /^(<=|>=|<|>)(.+)$/s

/** `release:>=shop@1.2.0`: releases of the project in the order of their versions; `latest` is the newest of them. */
async function readRelease({ name, value, isQuoted }: Given, { listReleases }: SearchContext): Promise<GroupCondition> {
  const [, sign, bound] = comparison.exec(value) ?? []

  if (value !== 'latest' && (!sign || isQuoted)) return { list: 'releases', match: textMatch(value, isQuoted) }
  const releases = await listReleases()
  const firstSeen = (version: string) => releases.get(version)?.getTime()
  const versions = [...releases.keys()]

  if (value === 'latest') {
    const newest = versions.reduce<string | undefined>(
      (newest, one) => (newest === undefined || isNewer(one, newest, firstSeen) ? one : newest),
      undefined
    )

    return { list: 'releases', among: newest === undefined ? [] : [newest] }
  }
  if (!releases.has(bound!) && !/\d/.test(bound!)) throw new SearchProblem(`${name}:${value}: there is no release ${bound}`)
  const isWithin = (version: string) => {
    if (version === bound) return sign!.endsWith('=')
    const isLater = isNewer(version, bound!, firstSeen)

    return sign!.startsWith('>') ? isLater : !isLater
  }

  return { list: 'releases', among: versions.filter(isWithin) }
}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs }

/** `<1d` is within the last day, `>1d` before it; Sentry writes `-1d` and `+1d`. With a day or a time, `>2026-11-01` is after it. */
function readTime(seen: 'firstSeenAt' | 'lastSeenAt', { name, value }: Given, now: Date): GroupCondition {
  const [, sign, number, unit] = /^([<>+-])=?(\d{1,5})([mhdw])$/.exec(value) ?? []
  const [, side, day] = /^(<=|>=|<|>)(\d{4}-\d\d-\d\d(?:T[\d:.]{5,15}Z?)?)$/.exec(value) ?? []
  const at = day ? Date.parse(day.length === 10 ? `${day}T00:00:00Z` : day.endsWith('Z') ? day : `${day}Z`) : Number.NaN

  if (sign)
    return { seen, comparison: sign === '<' || sign === '-' ? '>=' : '<=', at: new Date(now.getTime() - Number(number) * units[unit!]!) }
  if (!Number.isNaN(at)) return { seen, comparison: side as Comparison, at: new Date(at) }
  throw new SearchProblem(`${name}:${value} is not a time. Use ${name}:<1d or ${name}:>2w, with m, h, d or w, or ${name}:>2026-11-01`)
}

function readCount(count: 'events' | 'users', { name, value }: Given): GroupCondition {
  const [, sign = '=', number] = /^(<=|>=|<|>|=)?(\d{1,12})$/.exec(value) ?? []

  if (number === undefined) throw new SearchProblem(`${name}:${value} is not a number. Use ${name}:>100, ${name}:<=5 or ${name}:1`)

  return { count, comparison: sign as Comparison, than: Number(number) }
}

/** Whether an error has any value of a tag, or of one of the conditions. */
function readHas({ value }: Given): GroupCondition {
  if (value === 'assignee' || value === 'assigned') return { assignee: 'Any' }
  const list = ({ release: 'releases', environment: 'environments' } as const)[value]
  const place = ({ 'stack.filename': 'file', 'stack.function': 'function', stack: 'file' } as const)[value]
  const any: TextMatch = { text: '*', how: 'pattern' }

  if (list) return { list, match: any }
  if (place) return { place, match: any }
  if (value === 'user') return { any: ['id', 'email', 'username', 'ip'].map(name => ({ tag: `user.${name}` })) }

  return { tag: value }
}
