import { deepFreeze, isObject, type Json } from '../../lib/json.ts'
import { isCard } from './cards.ts'
import { redacted } from './credentials.ts'
import { mapElements, mapMembers } from './map-json.ts'
import { isCookieMap, redact, redactCookies } from './redact.ts'
import type { CompiledRules } from './rules.ts'
import { scrubText } from './scrub-text.ts'

export interface Scrubbed {
  event: Json
  /** When false, `event` is the object that was passed in. */
  isChanged: boolean
}

/** Attributes that identify the event and its platform. They hold no secrets, and grouping relies on them. */
const safeAttributes = new Set(
  `event_id timestamp start_timestamp received sent_at platform level type version release dist environment fingerprint checksum logger
  sdk modules debug_meta _meta errors project key_id`.split(/\s+/)
)
const safeFrameFields = new Set(
  'function raw_function module package platform symbol lineno colno in_app image_addr instruction_addr symbol_addr addr_mode lang'.split(
    ' '
  )
)
/** Source code assigns to all kinds of names: only secrets with a known format are scrubbed. */
const codeFrameFields = new Set(['filename', 'abs_path', 'context_line', 'pre_context', 'post_context'])

/** Values below this depth are redacted without being scanned. */
const maxDepth = 200

/** Removes secrets from an event of any shape, without changing the object that is passed in. */
export function scrub(event: Json, rules: CompiledRules): Scrubbed {
  if (rules.isNoOp) return { event, isChanged: false }
  const scrubbed = mapMembers(event, (value, key) => (safeAttributes.has(key) ? value : scrubMember(key, value, event, rules, 0)))

  return { event: scrubbed, isChanged: scrubbed !== event }
}

/** Scrubs a member of an object; undefined removes it. In `{ name, value }`, the name decides about the value. */
function scrubMember(key: string, value: unknown, owner: Json, rules: CompiledRules, depth: number): unknown {
  const name = key === 'value' ? (owner.name ?? owner.key) : undefined
  const action = rules.actionFor(typeof name === 'string' ? name : key)

  if (action === 'scan')
    return key === 'frames' && Array.isArray(value) ? scrubFrames(value, rules, depth) : scrubValue(value, rules, depth)
  if (action === 'redact') return isCookieMap(key, value) ? redactCookies(value) : redact(value)

  return action === 'keep' ? value : undefined
}

function scrubValue(value: unknown, rules: CompiledRules, depth: number, isCode = false): unknown {
  if (typeof value === 'string') return rules.isEnabled ? scrubText(value, isCode ? undefined : rules.classify) : value
  if (typeof value === 'number') return rules.isEnabled && value > 1e12 && isCard(String(value)) ? redacted : value
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return redacted
  if (Array.isArray(value)) return mapElements(value, (element, n) => scrubElement(element, value[n - 1], rules, depth + 1, isCode))
  const object = value as Json

  return mapMembers(object, (member, key) => scrubMember(key, member, object, rules, depth + 1))
}

/** Lists may hold [name, value] pairs, or the options of a command followed by their values. */
function scrubElement(element: unknown, previous: unknown, rules: CompiledRules, depth: number, isCode: boolean) {
  if (Array.isArray(element) && element.length === 2 && typeof element[0] === 'string') return scrubPair(element, rules, depth)
  if (isOption(previous) && typeof element === 'string' && !element.startsWith('-') && rules.actionFor(previous) === 'redact')
    return redact(element)

  return scrubValue(element, rules, depth, isCode)
}

function isOption(element: unknown): element is string {
  return typeof element === 'string' && element.length < 64 && /^--?[\w-]+$/.test(element)
}

function scrubPair(pair: unknown[], rules: CompiledRules, depth: number) {
  const [name, value] = pair as [string, unknown]
  const result = scrubMember(name, value, {}, rules, depth)

  if (result === value) return pair

  return result === undefined ? undefined : [name, result]
}

/** Cached frames, which are frozen because events share them (see FrameCache), are scrubbed once. */
function scrubFrames(frames: unknown[], rules: CompiledRules, depth: number) {
  const memoized = rules.scrubbedFrames.get(frames)

  if (memoized) return memoized
  const scrubbed = mapElements(frames, frame =>
    isObject(frame) ? scrubFrame(frame, rules, depth + 1) : scrubValue(frame, rules, depth + 1)
  )

  if (Object.isFrozen(frames)) rules.scrubbedFrames.set(frames, deepFreeze(scrubbed))

  return scrubbed
}

function scrubFrame(frame: Json, rules: CompiledRules, depth: number) {
  return mapMembers(frame, (value, key) => {
    if (safeFrameFields.has(key)) return value

    return codeFrameFields.has(key) ? scrubValue(value, rules, depth, true) : scrubMember(key, value, frame, rules, depth)
  })
}
