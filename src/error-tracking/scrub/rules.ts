import { memoize } from '../../lib/memoize.ts'
import { judgeKey, type SecretLikelihood, wordsOf } from './secret-keys.ts'

/** What a project wants kept out of its events. */
export interface ScrubRules {
  isOn: boolean
  keepsIpAddresses: boolean
  /** More keys whose values are secrets; also as words within a longer key. */
  extraKeys: string[]
  /** Keys that are left alone with all that lies under them. */
  safeKeys: string[]
}

/** What to do with the value under a key. */
export type Treatment = 'look into' | 'filter' | 'remove' | 'keep'

export interface CompiledRules {
  isOn: boolean
  isIdle: boolean
  treat: (key: string) => Treatment
  judge: (key: string) => SecretLikelihood
  /** What became of frames that events share. */
  framesKnown: WeakMap<unknown[], unknown[]>
}

/** By RFC 7239 and by the habits of proxies, in headers and in the environments of CGI alike. */
const addresses = new Set(
  `ip ipaddr ipaddress remoteaddr remotehost remoteip clientip xclientip xclusterclientip xforwardedfor forwardedfor forwarded xforwarded
  xrealip realip trueclientip cfconnectingip cfconnectingipv6 fastlyclientip flyclientip xazureclientip xoriginalforwardedfor xremoteip
  xremoteaddr xenvoyexternaladdress clientaddress`.split(/\s+/)
)
const maybeAddress = /ip|add?r|forwarded|host/i

/** By these, traces are put together. */
const identifiers = new Set(['event_id', 'trace_id', 'span_id', 'parent_span_id'])

/** Keys repeat from event to event. */
const ofKeys = { max: 5000, maxLength: 64 }

/** To be made once for a project and kept: it remembers what it found of every key. */
export function compileRules({ isOn, keepsIpAddresses, extraKeys, safeKeys }: ScrubRules): CompiledRules {
  const safe = new Set(safeKeys.map(squash))
  const extra = extraKeys.map(wordsOf).filter(words => words.length > 0)
  const isSafe = (key: string) => safe.size > 0 && safe.has(squash(key))
  const judge = memoize((key): SecretLikelihood => (isSafe(key) ? 'none' : isExtra(key, extra) ? 'sure' : judgeKey(key)), ofKeys)

  const treat = memoize((key): Treatment => {
    if (identifiers.has(key) || isSafe(key)) return 'keep'
    if (!keepsIpAddresses && isAddress(key)) return 'remove'

    return isOn && judge(key) !== 'none' ? 'filter' : 'look into'
  }, ofKeys)

  return { isOn, isIdle: !isOn && keepsIpAddresses, treat, judge, framesKnown: new WeakMap() }
}

/** What holds for a project that never said anything. */
export const defaultRules = compileRules({ isOn: true, keepsIpAddresses: true, extraKeys: [], safeKeys: [] })

function isAddress(key: string) {
  return maybeAddress.test(key) && addresses.has(squash(key).replace(/^http(?=.)/, ''))
}

function isExtra(key: string, extra: string[][]) {
  if (extra.length === 0) return false
  const squashed = squash(key)
  const likely = extra.filter(wanted => squashed.includes(wanted.join('')))

  if (likely.length === 0) return false
  const words = wordsOf(key)

  return likely.some(wanted => wanted.join('') === words.join('') || ` ${words.join(' ')} `.includes(` ${wanted.join(' ')} `))
}

/** Without case, and without ASCII's signs. */
function squash(key: string) {
  return key
    .slice(0, 200)
    .toLowerCase()
    .replace(/[\x00-\x2f\x3a-\x60\x7b-\x7f]+/g, '')
}
