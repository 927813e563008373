import { memoize } from '#lib/memoize.ts'
import { scrubName } from '#lib/scrub/scrub-text.ts'
import { classifyKey, type SecretLikelihood, wordsOf } from '#lib/scrub/secret-keys.ts'
import type { TextRules, Work } from '#lib/scrub/text-rules.ts'

/** The scrubbing settings of a project. */
export interface ScrubRules {
  isEnabled: boolean
  keepsIpAddresses: boolean
  /** Additional secret keys; they also match as words within a longer key. */
  extraKeys: string[]
  /** Keys that are not scrubbed, with everything below them. */
  safeKeys: string[]
}

/** `inspect` redacts values that look generated. */
export type Action = 'scan' | 'inspect' | 'redact' | 'remove' | 'keep'

export interface CompiledRules {
  isEnabled: boolean
  /** The rules change no event. */
  isNoOp: boolean
  actionFor: (key: string) => Action
  classify: (key: string) => SecretLikelihood
  /** The key without tokens of known formats. */
  scrubKey: (key: string) => string
  /** The remaining work, within encoded text. */
  work?: Work
  text?: TextRules
  /** Memoized results for cached frames. */
  scrubbedFrames: WeakMap<unknown[], unknown[]>
}

/** From RFC 7239 and from the conventions of proxies, for headers and CGI variables. */
const addressKeys = new Set(
  `ip ipaddr ipaddress remoteaddr remotehost remoteip clientip xclientip xclusterclientip xforwardedfor forwardedfor forwarded xforwarded
  xrealip realip trueclientip cfconnectingip cfconnectingipv6 fastlyclientip flyclientip xazureclientip xoriginalforwardedfor xremoteip
  xremoteaddr xenvoyexternaladdress clientaddress`.split(/\s+/)
)
const addressCandidate = /ip|add?r|forwarded|host/i

/** Ids of events and traces. */
const identifiers = new Set(['event_id', 'trace_id', 'span_id', 'parent_span_id'])

const actions: Record<SecretLikelihood, Action> = { none: 'scan', possible: 'inspect', likely: 'redact', sure: 'redact' }

/** Keys repeat from event to event. */
const memoizeOptions = { max: 5000, maxLength: 64 }

/** Compiled rules memoize their decision for every key: compile them once per project. */
export function compileRules({ isEnabled, keepsIpAddresses, extraKeys, safeKeys }: ScrubRules): CompiledRules {
  const safe = new Set(safeKeys.map(squash))
  const extra = extraKeys.map(wordsOf).filter(words => words.length > 0)
  const isSafe = (key: string) => safe.size > 0 && safe.has(squash(key))
  const classify = memoize(
    (key): SecretLikelihood => (isSafe(key) ? 'none' : matchesExtraKey(key, extra) ? 'sure' : classifyKey(key)),
    memoizeOptions
  )

  const actionFor = memoize((key): Action => {
    if (identifiers.has(key) || isSafe(key)) return 'keep'
    if (!keepsIpAddresses && isAddressKey(key)) return 'remove'

    return isEnabled ? actions[classify(key)] : 'scan'
  }, memoizeOptions)

  const scrubKey = memoize((key): string => (isEnabled ? scrubName(key) : key), memoizeOptions)

  return { isEnabled, isNoOp: !isEnabled && keepsIpAddresses, actionFor, classify, scrubKey, scrubbedFrames: new WeakMap() }
}

export const defaultRules: ScrubRules = { isEnabled: true, keepsIpAddresses: true, extraKeys: [], safeKeys: [] }

function isAddressKey(key: string) {
  return addressCandidate.test(key) && addressKeys.has(squash(key).replace(/^http(?=.)/, ''))
}

function matchesExtraKey(key: string, extra: string[][]) {
  if (extra.length === 0) return false
  const squashed = squash(key)
  const candidates = extra.filter(words => squashed.includes(words.join('')))

  if (candidates.length === 0) return false
  const keyWords = wordsOf(key)

  return candidates.some(words => words.join('') === keyWords.join('') || ` ${keyWords.join(' ')} `.includes(` ${words.join(' ')} `))
}

/** Lower case without ASCII punctuation. */
function squash(key: string) {
  return key
    .slice(0, 200)
    .toLowerCase()
    .replace(/[\x00-\x2f\x3a-\x60\x7b-\x7f]+/g, '')
}
