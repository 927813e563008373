import { judgeKey, type Verdict, wordsOf } from './key-words.ts'

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
  judge: (key: string) => Verdict
}

/** By RFC 7239 and by the habits of proxies, in headers and in the environments of CGI alike. */
const addresses = new Set(
  `ip ipaddr ipaddress remoteaddr remotehost remoteip clientip xclientip xclusterclientip xforwardedfor forwardedfor forwarded xforwarded
  xrealip realip trueclientip cfconnectingip cfconnectingipv6 fastlyclientip flyclientip xazureclientip xoriginalforwardedfor xremoteip
  xremoteaddr xenvoyexternaladdress clientaddress`.split(/\s+/)
)

/** By these, traces are put together. */
const identifiers = new Set(['eventid', 'traceid', 'spanid', 'parentspanid'])

/** Keys repeat from event to event; those of a sender who makes up ever new ones must not fill the memory. */
const mostRemembered = 5000
const longestRemembered = 64

/** To be made once for a project and kept: it remembers what it found of every key. */
export function compileRules({ isOn, keepsIpAddresses, extraKeys, safeKeys }: ScrubRules): CompiledRules {
  const safe = new Set(safeKeys.map(squash))
  const extra = extraKeys.map(key => wordsOf(key)).filter(words => words.length > 0)
  const judge = remember(key => (isExtra(key, extra) ? 'sure' : judgeKey(key)))

  const treat = remember((key): Treatment => {
    const squashed = squash(key)

    if (safe.has(squashed) || identifiers.has(squashed)) return 'keep'
    if (!keepsIpAddresses && addresses.has(squashed.replace(/^http(?=.)/, ''))) return 'remove'

    return isOn && judge(key) !== 'none' ? 'filter' : 'look into'
  })

  return { isOn, isIdle: !isOn && keepsIpAddresses, treat, judge: key => (safe.has(squash(key)) ? 'none' : judge(key)) }
}

/** What holds for a project that never said anything. */
export const defaultRules = compileRules({ isOn: true, keepsIpAddresses: true, extraKeys: [], safeKeys: [] })

function isExtra(key: string, extra: string[][]) {
  if (extra.length === 0) return false
  const words = wordsOf(key)

  return extra.some(wanted => wanted.join('') === words.join('') || ` ${words.join(' ')} `.includes(` ${wanted.join(' ')} `))
}

function squash(key: string) {
  return key
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

function remember<T>(find: (key: string) => T) {
  const known = new Map<string, T>()

  return (key: string) => {
    const before = known.get(key)

    if (before !== undefined) return before
    const found = find(key)

    if (known.size >= mostRemembered) known.clear()
    if (key.length <= longestRemembered) known.set(key, found)

    return found
  }
}
