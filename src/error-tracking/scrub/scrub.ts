import { isShared, share } from '../parse/shared-values.ts'
import { isCard } from './cards.ts'
import { filtered } from './credentials.ts'
import { filter, filterLeaves, isCookies } from './filter.ts'
import { eachElement, eachMember, type Json } from './iterate-json.ts'
import type { CompiledRules } from './rules.ts'
import { scrubCode, scrubText } from './text.ts'

export interface Scrubbed {
  event: Json
  /** Whether anything was taken out; when nothing was, the event is the very object that was given. */
  isChanged: boolean
}

/** What tells where an event belongs and what it ran on: no place for secrets, and grouping relies on it. */
const untouched = new Set(
  `event_id timestamp start_timestamp received sent_at platform level type version release dist environment fingerprint checksum logger
  sdk modules debug_meta _meta errors project key_id`.split(/\s+/)
)

/**
 * The same of a frame; and where it holds source code, which assigns to all kinds of names, so that in it only what is a
 * secret by its own form counts.
 */
const ofFrame = new Map([
  ...`function raw_function module package platform symbol lineno colno in_app image_addr instruction_addr symbol_addr addr_mode lang`
    .split(' ')
    .map(key => [key, 'untouched'] as const),
  ...'filename abs_path context_line pre_context post_context'.split(' ').map(key => [key, 'code'] as const)
])

/** Deeper than anything that is read: nobody has looked there. */
const deepest = 200

/** Takes secrets out of an event, whatever shape it came in. The given object stays as it was. */
export function scrub(event: Json, rules: CompiledRules): Scrubbed {
  if (rules.isIdle) return { event, isChanged: false }
  const scrubbed = eachMember(event, (value, key) => (untouched.has(key) ? value : lookAt(key, value, event, rules, 0)))

  return { event: scrubbed, isChanged: scrubbed !== event }
}

/** What becomes of a member; undefined removes it. */
function lookAt(key: string, value: unknown, owner: Json, rules: CompiledRules, depth: number): unknown {
  const named = key === 'value' ? (owner.name ?? owner.key) : undefined
  const treatment = rules.treat(typeof named === 'string' ? named : key)

  if (treatment === 'look into')
    return key === 'frames' && Array.isArray(value) ? lookIntoFrames(value, rules, depth) : lookInto(value, rules, depth)
  if (treatment === 'filter') return isCookies(key, value) ? filterLeaves(value, 0) : filter(value)

  return treatment === 'keep' ? value : undefined
}

function lookInto(value: unknown, rules: CompiledRules, depth: number, isCode = false): unknown {
  if (typeof value === 'string') return rules.isOn ? (isCode ? scrubCode(value) : scrubText(value, rules.judge)) : value
  if (typeof value === 'number') return rules.isOn && value > 1e12 && isCard(String(value)) ? filtered : value
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return filtered
  if (Array.isArray(value)) return eachElement(value, (element, n) => lookAtElement(element, value[n - 1], rules, depth + 1, isCode))

  return eachMember(value as Json, (member, key, owner) => lookAt(key, member, owner, rules, depth + 1))
}

/** Lists hold pairs of a name and a value, and the options of commands before their values. */
function lookAtElement(element: unknown, previous: unknown, rules: CompiledRules, depth: number, isCode: boolean) {
  if (Array.isArray(element) && element.length === 2 && typeof element[0] === 'string') return lookAtPair(element, rules, depth)
  if (isOption(previous) && typeof element === 'string' && !element.startsWith('-') && rules.treat(previous) === 'filter')
    return filter(element)

  return lookInto(element, rules, depth, isCode)
}

function isOption(element: unknown): element is string {
  return typeof element === 'string' && element.length < 64 && /^--?[\w-]+$/.test(element)
}

function lookAtPair(pair: unknown[], rules: CompiledRules, depth: number) {
  const [name, value] = pair as [string, unknown]
  const result = lookAt(name, value, {}, rules, depth)

  if (result === value) return pair

  return result === undefined ? undefined : [name, result]
}

/** Frames that events share are looked at once. */
function lookIntoFrames(frames: unknown[], rules: CompiledRules, depth: number) {
  const known = rules.framesKnown.get(frames)

  if (known) return known
  const clean = lookIntoNewFrames(frames, rules, depth)

  if (isShared(frames)) rules.framesKnown.set(frames, share(clean))

  return clean
}

function lookIntoNewFrames(frames: unknown[], rules: CompiledRules, depth: number) {
  return eachElement(frames, frame =>
    typeof frame === 'object' && frame !== null && !Array.isArray(frame)
      ? eachMember(frame as Json, (value, key, owner) => lookAtFrame(key, value, owner, rules, depth + 1))
      : lookInto(frame, rules, depth + 1)
  )
}

function lookAtFrame(key: string, value: unknown, owner: Json, rules: CompiledRules, depth: number) {
  const kind = ofFrame.get(key)

  if (kind === 'untouched') return value

  return kind === 'code' ? lookInto(value, rules, depth, true) : lookAt(key, value, owner, rules, depth)
}
