import { type Expression, parseExpression } from '#lib/search/parse-expression.ts'
import { similarName } from '#lib/search/similar-name.ts'
import { quote, SearchProblem, type Term } from '#lib/search/split-search.ts'
import type { GroupCondition } from '../groups/group-condition.ts'
import type { GroupFilter } from '../groups/group-filter.ts'
import { parseEventId } from '../parse/envelope.ts'
import { conditions, type SearchContext, textMatch } from './conditions.ts'

/** Other names of conditions: Sentry's, and older ones. */
const aliases: Record<string, string> = {
  firstSeen: 'first-seen',
  age: 'first-seen',
  lastSeen: 'last-seen',
  assignee: 'assigned',
  assigned_or_suggested: 'assigned',
  firstRelease: 'first-release',
  timesSeen: 'events',
  times_seen: 'events',
  count: 'events',
  times: 'events',
  userCount: 'users',
  type: 'error.type',
  'error.value': 'message',
  'stack.filename': 'file',
  'stack.abs_path': 'file',
  'stack.function': 'function',
  'stack.module': 'module',
  'platform.name': 'platform'
}

const sameNames = Object.fromEntries(Object.keys(conditions).map(name => [name, name]))

/**
 * Reads Sentry's search syntax: words, and conditions such as `is:unresolved !level:info first-seen:<1d`, with OR, parentheses, lists
 * (`level:[error, fatal]`) and `*`. Other conditions are tags, also written as `tags[name]:value`.
 */
export async function readSearch(search: string, context: SearchContext): Promise<GroupFilter> {
  const filter: GroupFilter = { firstSeen: {}, lastSeen: {} }
  const expression = parseExpression(search)

  for (const part of 'all' in expression ? expression.all : [expression]) await addTo(filter, part, context)

  return filter
}

/** What an index answers goes into a field of its own, the rest into conditions. */
async function addTo(filter: GroupFilter, part: Expression, context: SearchContext) {
  const condition = await toCondition(part, context)

  if ('words' in condition) filter.texts = [...(filter.texts ?? []), condition.words]
  else if ('status' in condition && !filter.status) filter.status = condition.status
  else if ('assignee' in condition && filter.assignee === undefined) filter.assignee = condition.assignee
  else if ('isRegressed' in condition) filter.isRegressed = true
  else if ('seen' in condition && condition.comparison !== '=') addRange(filter, condition)
  else if ('tag' in condition && condition.match?.how === 'equal')
    filter.tags = [...(filter.tags ?? []), `${condition.tag}=${condition.match.text}`]
  else if (!addTrait(filter, condition)) filter.conditions = [...(filter.conditions ?? []), condition]
}

function addRange({ firstSeen, lastSeen }: GroupFilter, { seen, comparison, at }: Extract<GroupCondition, { seen: unknown }>) {
  const range = seen === 'firstSeenAt' ? firstSeen : lastSeen

  if (comparison.startsWith('<')) range.before = range.before && range.before < at ? range.before : at
  else range.after = range.after && range.after > at ? range.after : at
}

/** Traits are indexed by their exact value, one of each kind. */
function addTrait(filter: GroupFilter, condition: GroupCondition) {
  const [name, match] =
    'field' in condition && condition.field === 'level'
      ? (['level', condition.match] as const)
      : 'list' in condition && 'match' in condition
        ? ([condition.list === 'releases' ? 'release' : 'environment', condition.match] as const)
        : []

  if (!name || match!.how !== 'equal' || filter[name] !== undefined) return false
  filter[name] = match!.text

  return true
}

async function toCondition(expression: Expression, context: SearchContext): Promise<GroupCondition> {
  if ('all' in expression) return { all: await Promise.all(expression.all.map(one => toCondition(one, context))) }
  if ('any' in expression) return { any: await Promise.all(expression.any.map(one => toCondition(one, context))) }
  if ('not' in expression) return { not: await toCondition(expression.not, context) }

  return readTerm(expression.term, context)
}

async function readTerm({ key, value, values, isQuoted }: Term, context: SearchContext): Promise<GroupCondition> {
  if (!key) return readWord(value, context)
  const name = Object.hasOwn(aliases, key) ? aliases[key]! : key
  const read = Object.hasOwn(conditions, name) ? conditions[name] : undefined

  if (!read && value === '') return { words: `${key}:` }
  if (value === '' && !isQuoted) throw new SearchProblem(`${key}: needs a value`)
  const readOne = read ?? (await tagReader(key, value, context))
  const all = values ?? [value]

  if (all.length === 0) throw new SearchProblem(`${key}:[] needs a value`)
  const alternatives = await Promise.all(all.map(one => readOne({ name: key, value: one, isQuoted }, context)))

  return alternatives.length === 1 ? alternatives[0]! : { any: alternatives }
}

/** A pasted id of an event finds its error. */
async function readWord(value: string, { findByEvent }: SearchContext): Promise<GroupCondition> {
  const eventId = /^[0-9a-f-]{32,36}$/i.test(value) ? parseEventId(value) : undefined
  const group = eventId && (await findByEvent(eventId))

  return group ? { ids: [group] } : { words: value }
}

/** Refuses what no error has as a tag: it would find nothing, and is likely misspelt. */
async function tagReader(key: string, value: string, { hasTag }: SearchContext) {
  const [, bracketed] = /^tags\[(.+)\]$/.exec(key) ?? []
  const tag = bracketed ?? key

  if (bracketed === undefined && !(await hasTag(key))) throw new SearchProblem(describeMistake(key, value))

  return ({ value, isQuoted }: { value: string; isQuoted?: boolean | undefined }): GroupCondition => ({
    tag,
    match: textMatch(value, isQuoted)
  })
}

function describeMistake(key: string, value: string) {
  const names: Record<string, string> = { ...sameNames, ...aliases }
  const similar = similarName(key, Object.keys(names))
  const meant = key === 'status' || key === 'state' ? 'is' : similar && names[similar]

  if (!meant) return `Unknown condition ${key}: no error has a tag of this name. To search the text, use "${key}:${value}"`

  return `Unknown condition ${key}. Did you mean ${meant}:${quote(value)}? To search a tag, use tags[${key}]:${quote(value)}`
}
