import { LRUCache } from 'lru-cache'
import { compileGlob } from '#lib/glob.ts'
import type { OwnedEvent, OwnedFrame } from './owned-event.ts'

export const maxRulesLength = 65_536
export const maxLines = 1000

/** A line of the rules: `path:src/billing/* @ann #acme/billing`. */
export interface OwnerRule {
  line: number
  /** As it was written. */
  matcher: string
  /** As they were written: `@ann`, `ann@example.com`, `#acme/billing`. */
  owners: string[]
  ofFrame?: (frame: OwnedFrame) => boolean
  ofEvent?: (event: OwnedEvent) => boolean
}

export interface LineProblem {
  line: number
  /** The problem, and its solution. */
  text: string
}

/** Reads rules, one per line; `#` begins a comment. */
export function readRules(text: string) {
  const rules: OwnerRule[] = []
  const problems: LineProblem[] = []

  for (const [n, content] of text.split('\n').entries()) {
    const line = n + 1
    const [matcher, ...owners] = wordsOf(content)

    if (matcher === undefined || content.trimStart().startsWith('#')) continue
    const rule = readMatcher(matcher)
    const wrong = owners.find(owner => !isOwner(owner))

    if (typeof rule === 'string') problems.push({ line, text: rule })
    else if (owners.length === 0) problems.push({ line, text: `${matcher} has no owner. Add one, such as @ann or #acme/billing` })
    else if (wrong) problems.push({ line, text: `${wrong} is no owner. Write @username, an e-mail address or #group/path` })
    else rules.push({ line, matcher, owners, ...rule })
  }

  return { rules, problems }
}

/** Most new errors of a storm share their frames. */
const maxRemembered = 1000

/**
 * Finds the rule of an event. Path and module rules look at the innermost frame that any of them matches. Of all rules that match, the
 * last wins.
 */
export function compileRules(rules: OwnerRule[]) {
  const ofFrames = rules.filter(({ ofFrame }) => ofFrame)
  const ofEvents = rules.filter(({ ofEvent }) => ofEvent)
  const remembered = new LRUCache<string, { rule: OwnerRule | undefined }>({ max: maxRemembered })

  function findOfFrame(frame: OwnedFrame) {
    const key = [...frame.paths, frame.module].join('\0')
    const found = remembered.get(key) ?? { rule: ofFrames.findLast(({ ofFrame }) => ofFrame!(frame)) }

    remembered.set(key, found)

    return found.rule
  }

  return (event: OwnedEvent): OwnerRule | undefined => {
    const ofFrame = firstOf(event.frames, findOfFrame)
    const ofEvent = ofEvents.findLast(({ ofEvent }) => ofEvent!(event))

    return (ofEvent?.line ?? 0) > (ofFrame?.line ?? 0) ? ofEvent : ofFrame
  }
}

function firstOf<T, Found>(values: T[], find: (value: T) => Found | undefined) {
  for (const value of values) {
    const found = find(value)

    if (found) return found
  }

  return undefined
}

/** Why a project has no such owner. */
export function describeUnknown(name: string) {
  if (!/^[@#]/.test(name)) return `${name} is the confirmed address of no member. Add the person to the project, or write @username`
  if (name.startsWith('#') || name.includes('/'))
    return `${name} is no group of this project. Write the full path of a group that the project is in or shared with`

  return `${name} is no member of this project. Add the person, or correct the name`
}

/** Separated by spaces, except those in double quotes. */
function wordsOf(line: string) {
  return (line.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map(word => word.replaceAll('"', ''))
}

function isOwner(word: string) {
  return /^[@#][^@#\s]+$/.test(word) || /^[^@#\s]+@[^@\s]+$/.test(word)
}

type Matching = Pick<OwnerRule, 'ofFrame' | 'ofEvent'>

/** What a matcher looks at, or what is wrong with it. */
function readMatcher(matcher: string): Matching | string {
  const [, kind = 'path', pattern = matcher] = /^([a-z]+(?:\.[^:]+)?):(.*)$/is.exec(matcher) ?? []
  const [, tag, value] = kind.startsWith('tags.') ? ['', kind.slice(5), pattern] : (/^([^=]+)=(.*)$/s.exec(pattern) ?? [])

  if (pattern.length > maxPatternLength || stars(pattern).replace(/[^*?]/g, '').length > maxWildcards)
    return `${pattern.slice(0, 20)}… is longer than ${maxPatternLength} characters, or has more than ${maxWildcards} * and ?. Shorten it`
  if (pattern === '') return `${matcher} has no pattern. Write ${matcher}src/billing/*`
  if (kind === 'path') return ofPath(pattern)
  if (kind === 'module') return ofModule(pattern)
  if (kind === 'url') return ofUrl(pattern)
  if (kind.startsWith('tags.') || ((kind === 'tag' || kind === 'tags') && tag)) return ofTag(tag!, value!)
  if (kind === 'tag' || kind === 'tags') return `${matcher} names no tag. Write tags.${pattern}:value`

  return `${kind}: is no matcher. Use path:, module:, url: or tags.NAME:`
}

/** They bound the time that a match takes. */
const maxPatternLength = 250
const maxWildcards = 10

const singles = { hasSingles: true }

/** Frames name their files from different directories, so the pattern may begin at any. A folder stands for all that is in it. */
function ofPath(given: string): Matching {
  const path = stars(given).replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase()
  const pattern = /^[*/]/.test(path) ? path : `*/${path}`
  const isFile = compileGlob(pattern, singles)
  // Such a pattern already matches what is further down.
  if (pattern.endsWith('*')) return { ofFrame: ({ paths }) => paths.some(isFile) }
  const isWithin = compileGlob(pattern.endsWith('/') ? `${pattern}*` : `${pattern}/*`, singles)

  return { ofFrame: ({ paths }) => paths.some(path => isFile(path) || isWithin(path)) }
}

function ofModule(given: string): Matching {
  const matches = compileGlob(stars(given).toLowerCase(), singles)

  return { ofFrame: ({ module }) => module !== undefined && matches(module) }
}

function ofUrl(given: string): Matching {
  const matches = compileGlob(stars(given).toLowerCase(), singles)

  return { ofEvent: ({ url }) => url !== undefined && matches(url) }
}

function ofTag(name: string, given: string): Matching {
  const matches = compileGlob(stars(given), singles)

  return { ofEvent: ({ tags }) => tags.has(name) && matches(tags.get(name)!) }
}

/** `**` is the same as `*`, which also stands for slashes. */
function stars(pattern: string) {
  return pattern.replace(/\*+/g, '*')
}
