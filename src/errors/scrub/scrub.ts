import { deepFreeze, isObject, type Json } from '#lib/json.ts'
import { isCard } from '#lib/scrub/formats/cards.ts'
import { redacted } from '#lib/scrub/redacted.ts'
import { scrubName, scrubText } from '#lib/scrub/scrub-text.ts'
import { isContainerKey, isContainerValue, isIdKey } from '#lib/scrub/secret-keys.ts'
import { looksRandom } from '#lib/scrub/secret-value.ts'
import type { TextRules } from '#lib/scrub/text-rules.ts'
import { mapElements, mapKeys, mapMembers } from './map-json.ts'
import { isCookieMap, redact, redactCookies } from './redact.ts'
import type { CompiledRules } from './rules.ts'
import { scrubParameters } from './scrub-log-entry.ts'

export interface Scrubbed {
  event: Json
  /** When false, `event` is the object that was passed in. */
  isChanged: boolean
}

/** Attributes that identify the event and its platform, and that grouping and search rely on. */
const safeAttributes = new Set(
  `event_id timestamp start_timestamp received sent_at platform level type version release dist environment checksum logger
  sdk modules debug_meta _meta project key_id`.split(/\s+/)
)
/** Like keys, they are kept but for tokens of known formats: grouping relies on them. */
const nameFields = new Set(['function', 'raw_function', 'module', 'package', 'symbol'])
const safeFrameFields = new Set('platform lineno colno in_app image_addr instruction_addr symbol_addr addr_mode lang'.split(' '))
/** Source code assigns to all kinds of names: only secrets with a known format are scrubbed. */
const codeFrameFields = new Set(['filename', 'abs_path', 'context_line', 'pre_context', 'post_context'])

/** Values below this depth are redacted without being scanned. */
const maxDepth = 200

/** Removes secrets from an event of any shape, without changing the object that is passed in. */
export function scrub(event: Json, rules: CompiledRules): Scrubbed {
  if (rules.isNoOp) return { event, isChanged: false }
  const scrubbed = mapKeys(
    mapMembers(event, (value, key) => scrubAttribute(key, value, event, rules)),
    rules.scrubKey
  )

  return { event: scrubbed, isChanged: scrubbed !== event }
}

function scrubAttribute(key: string, value: unknown, event: Json, rules: CompiledRules) {
  if (safeAttributes.has(key)) return value
  if (key === 'fingerprint') return scrubNames(value, rules)
  const given = key === 'logentry' && rules.isEnabled && isObject(value) ? scrubParameters(value, rules, textRules(rules)) : value

  return scrubMember(key, given, event, rules, 0)
}

/** A name or a list of names. */
function scrubNames(value: unknown, rules: CompiledRules): unknown {
  if (typeof value === 'string') return rules.isEnabled ? scrubName(value) : value

  return Array.isArray(value) ? mapElements(value, element => (typeof element === 'string' ? scrubNames(element, rules) : element)) : value
}

/** Scrubs a member of an object; undefined removes it. In `{ name, value }`, the name decides about the value, as it is afterwards. */
function scrubMember(key: string, value: unknown, owner: Json, rules: CompiledRules, depth: number): unknown {
  const given = key === 'value' ? (owner.name ?? owner.key) : undefined
  const name = typeof given === 'string' ? (scrubValue(given, rules, depth) as string) : key
  const action = rules.actionFor(name)

  if (action === 'keep') return value
  if (action === 'remove') return undefined
  if (action === 'inspect' && typeof value === 'string' && looksRandom(value)) return redacted
  if (action !== 'redact') return scan(key, value, rules, depth)
  if (isCookieMap(key, value)) return redactCookies(value)

  return isContainer(name, value, rules) ? scrubContainer(name, value, rules, depth) : redact(value)
}

function scan(key: string, value: unknown, rules: CompiledRules, depth: number) {
  if (key === 'frames' && Array.isArray(value)) return scrubFrames(value, rules, depth)
  const scrubbed = scrubValue(value, rules, depth)

  return scrubbed !== value && isIdKey(key) && [value].flat().every(isDigits) ? value : scrubbed
}

/** An identifier may pass the checks of a card number. */
function isDigits(value: unknown) {
  return typeof value === 'number' || (typeof value === 'string' && /^\d{12,19}$/.test(value))
}

/** Whether the value is a session or the parameters of a login, whose members are scrubbed by their own names. */
function isContainer(name: string, value: unknown, rules: CompiledRules): value is Json | Json[] {
  return isContainerKey(name) && rules.classify(name) === 'likely' && (isObject(value) || (Array.isArray(value) && value.some(isObject)))
}

/** Its `id` is the id of the session. */
function scrubContainer(name: string, value: Json | Json[], rules: CompiledRules, depth: number): unknown {
  if (depth > maxDepth) return redacted
  if (Array.isArray(value)) return mapElements(value, element => scrubContainer(name, element as Json, rules, depth + 1))
  if (!isObject(value)) return redact(value)

  return scrubMembers(value, rules, (member, key) =>
    typeof member !== 'object' && isContainerValue(key) ? redact(member) : scrubMember(key, member, value, rules, depth + 1)
  )
}

function scrubValue(value: unknown, rules: CompiledRules, depth: number, isCode = false): unknown {
  if (typeof value === 'string') return rules.isEnabled ? scrubText(value, isCode ? undefined : textRules(rules)) : value
  if (typeof value === 'number') return rules.isEnabled && value > 1e12 && isCard(String(value)) ? redacted : value
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return redacted
  if (Array.isArray(value)) return mapElements(value, (element, n) => scrubElement(element, value[n - 1], rules, depth + 1, isCode))
  const object = value as Json

  return scrubMembers(object, rules, (member, key) => scrubMember(key, member, object, rules, depth + 1))
}

function scrubMembers(object: Json, rules: CompiledRules, map: (member: unknown, key: string) => unknown) {
  return mapKeys(mapMembers(object, map), rules.scrubKey)
}

/** Computed once, because every string needs it. */
function textRules(rules: CompiledRules): TextRules {
  rules.text ??= {
    classify: rules.classify,
    scrubJson: (json, work) => scrubValue(json, { ...rules, text: undefined, work }, 0),
    work: rules.work
  }

  return rules.text
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
  const scrubbedName = rules.scrubKey(name)

  if (result === value && scrubbedName === name) return pair

  return result === undefined ? undefined : [scrubbedName, result]
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
  return scrubMembers(frame, rules, (value, key) => {
    if (safeFrameFields.has(key)) return value
    if (nameFields.has(key)) return scrubNames(value, rules)

    return codeFrameFields.has(key) ? scrubValue(value, rules, depth, true) : scrubMember(key, value, frame, rules, depth)
  })
}
