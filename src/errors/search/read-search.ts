import { similarName } from '#lib/search/similar-name.ts'
import { quote, SearchProblem, splitSearch, type Term } from '#lib/search/split-search.ts'
import type { Status } from '../groups/error-group.ts'
import { type GroupFilter, levels } from '../groups/group-filter.ts'

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

export interface SearchContext {
  now: Date
  /** The id of a user by `me` or the username. */
  findUserId: (name: string) => Promise<number | undefined>
  /** Whether any error of the project has a tag of this name. */
  hasTag: (name: string) => Promise<boolean>
}

type ReadTerm = (filter: GroupFilter, value: string, context: SearchContext) => void | Promise<void>

/** What errors can be searched by, beside words and tags. */
const terms: Record<string, ReadTerm> = {
  is: readIs,
  assigned: readAssigned,
  level: (filter, value) => {
    filter.level = readChoice('level', levels, value)
  },
  environment: (filter, value) => {
    filter.environment = value
  },
  release: (filter, value) => {
    filter.release = value
  },
  'first-seen': ({ firstSeen }, value, { now }) => readAge('first-seen', firstSeen, value, now),
  'last-seen': ({ lastSeen }, value, { now }) => readAge('last-seen', lastSeen, value, now)
}

/** Names of terms in Sentry's searches. */
const aliases: Record<string, string> = { firstSeen: 'first-seen', age: 'first-seen', lastSeen: 'last-seen', assignee: 'assigned' }

export const isValues = ['unresolved', 'resolved', 'ignored', 'assigned', 'unassigned', 'new', 'regressed'] as const
export const termNames = Object.keys(terms)
const sameNames = Object.fromEntries(termNames.map(name => [name, name]))

/**
 * Reads Sentry's search syntax: words, and conditions such as `is:unresolved level:error first-seen:<1d`. Other conditions are tags,
 * also written as `tags[name]:value`.
 */
export async function readSearch(search: string, context: SearchContext): Promise<GroupFilter> {
  const filter: GroupFilter = { firstSeen: {}, lastSeen: {} }
  const text: string[] = []

  for (const term of splitSearch(search)) {
    const { key, value } = term

    refuseOperators(term)
    if (key?.startsWith('!')) throw new SearchProblem(`${key}:${value} is not supported: conditions cannot be negated`)
    const name = key && Object.hasOwn(aliases, key) ? aliases[key]! : key
    const readTerm = name && Object.hasOwn(terms, name) ? terms[name] : undefined

    if (readTerm && value === '') throw new SearchProblem(`${key}: needs a value`)
    if (readTerm) await readTerm(filter, value, context)
    else if (key && value) filter.tags = [...(filter.tags ?? []), `${await readTagName(key, value, context)}=${value}`]
    else text.push(key ? `${key}:` : value)
  }
  if (text.length > 0) filter.texts = text

  return filter
}

/** Refuses what is likely a misspelt condition: no error has a tag of this name. */
async function readTagName(key: string, value: string, { hasTag }: SearchContext) {
  const [, bracketed] = /^tags\[(.+)\]$/.exec(key) ?? []

  if (bracketed) return bracketed
  const mistake = describeMistake(key, value, { ...sameNames, ...aliases })

  if (!mistake || (await hasTag(key))) return key

  throw new SearchProblem(`${mistake} To search a tag, use tags[${key}]:${quote(value)}`)
}

const dayMs = 24 * 60 * 60 * 1000

function readIs(filter: GroupFilter, value: string, { now }: SearchContext) {
  const status = statusOf(value)

  if (status) filter.status = status
  else if (value === 'assigned') filter.assigneeId = 'Any'
  else if (value === 'unassigned') filter.assigneeId = 'None'
  else if (value === 'new') filter.firstSeen.after = new Date(now.getTime() - dayMs)
  else if (value === 'regressed') filter.isRegressed = true
  else throw new SearchProblem(`is:${value} is not supported. Use is: with ${isValues.join(', ')}`)
}

async function readAssigned(filter: GroupFilter, value: string, { findUserId }: SearchContext) {
  const id = value === 'none' ? 'None' : await findUserId(value.replace(/^@/, ''))

  if (id === undefined) throw new SearchProblem(`assigned:${value}: there is no user with this name. Use me, none or a username`)
  filter.assigneeId = id
}

function readChoice(name: string, choices: readonly string[], value: string) {
  if (!choices.includes(value)) throw new SearchProblem(`${name}:${value} is not supported. Use ${name}: with ${choices.join(', ')}`)

  return value
}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs }

/** `<1d` is within the last day, `>1d` before it; Sentry writes `-1d` and `+1d`. */
function readAge(name: string, range: GroupFilter['firstSeen'], value: string, now: Date) {
  const [, sign, number, unit] = /^([<>+-])=?(\d{1,5})([mhdw])$/.exec(value) ?? []

  if (!sign) throw new SearchProblem(`${name}:${value} is not a time. Use ${name}:<1d or ${name}:>2w, with m, h, d or w`)
  range[sign === '<' || sign === '-' ? 'after' : 'before'] = new Date(now.getTime() - Number(number) * units[unit!]!)
}

/** Refuses words that other searches combine conditions with, which would be searched as text here. In quotes they are text. */
function refuseOperators({ key, value, isQuoted }: Term) {
  if (key || isQuoted) return
  if (value === 'AND') throw new SearchProblem('Leave out AND: errors match all words and conditions. To search the word, use "AND"')
  if (value === 'OR') throw new SearchProblem('OR is not supported: errors match all words and conditions. To search the word, use "OR"')
  if (/^[()]+$|^\(+!?[\w.-]+:/.test(value))
    throw new SearchProblem(`Parentheses are not supported: errors match all words and conditions. To search text, use quotes: "${value}"`)
}

/** Names of conditions elsewhere, by what to say about them. */
const foreign: Record<string, (value: string) => string> = {
  status: value => `Did you mean is:${quote(value)}?`,
  state: value => `Did you mean is:${quote(value)}?`,
  times: notCounted,
  timesSeen: notCounted,
  events: notCounted,
  count: notCounted
}

/** The problem of a condition that is likely misspelt, and what would be right; undefined for other conditions. */
function describeMistake(key: string, value: string, names: Record<string, string>) {
  const advise = Object.hasOwn(foreign, key) ? foreign[key] : undefined
  const similar = similarName(key, Object.keys(names))

  if (advise) return `Unknown condition ${key}. ${advise(value)}`
  if (similar) return `Unknown condition ${key}. Did you mean ${names[similar]}:${quote(value)}?`
  if (/^[<>]/.test(value)) return `${key}:${value} is not supported: only first-seen and last-seen take < and >.`

  return undefined
}

function notCounted() {
  return 'To see what occurs most, sort by events.'
}
