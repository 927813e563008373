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
  /** What is wrong, and how to mend it. */
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

/**
 * The rule of an event. Path and module rules look at the innermost frame that any of them matches. Of all rules that match, the last wins.
 */
export function findRule(rules: OwnerRule[], event: OwnedEvent) {
  const frame = event.frames.find(frame => rules.some(({ ofFrame }) => ofFrame?.(frame)))

  return rules.findLast(({ ofFrame, ofEvent }) => (frame && ofFrame?.(frame)) || ofEvent?.(event))
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

  if (pattern === '') return `${matcher} has no pattern. Write ${matcher}src/billing/*`
  if (kind === 'path') return ofPath(pattern)
  if (kind === 'module') return ofModule(pattern)
  if (kind === 'url') return ofUrl(pattern)
  if (kind.startsWith('tags.') || ((kind === 'tag' || kind === 'tags') && tag)) return ofTag(tag!, value!)
  if (kind === 'tag' || kind === 'tags') return `${matcher} names no tag. Write tags.${pattern}:value`

  return `${kind}: is no matcher. Use path:, module:, url: or tags.NAME:`
}

const singles = { hasSingles: true }

/** Frames name their files from different directories, so the pattern may begin at any. A folder stands for all that is in it. */
function ofPath(given: string): Matching {
  const path = stars(given).replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase()
  const pattern = /^[*/]/.test(path) ? path : `*/${path}`
  const isFile = compileGlob(pattern, singles)
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
