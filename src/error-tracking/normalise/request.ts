import { storableText } from '../../lib/storable-text.ts'
import { asName, asObject, asText, isEmpty, type Json } from './json.ts'
import { joinValues, type Pair, readPairs } from './pairs.ts'
import { truncateText, truncateTree } from './truncate.ts'

const longest = 8192
const tight = { depth: 7, text: longest, total: longest }

const members = new Map<string, (given: unknown) => unknown>([
  ['url', asBounded],
  ['method', given => asName(given, 32)],
  ['query_string', readQuery],
  ['fragment', asBounded],
  ['headers', given => asMap(readPairs(given, '\n'))],
  ['cookies', readCookies],
  ['data', given => (typeof given === 'object' ? truncateTree(given ?? undefined, tight) : asBounded(joinValues(given)))],
  ['env', given => (asObject(given) ? truncateTree(given, tight) : undefined)]
])

/** The request that failed: its headers and cookies by name, its query as it is written in a URL. */
export function readRequest(given: unknown): Json | undefined {
  const request: Json = {}
  const known = asObject(given) ?? {}

  for (const key in known) {
    if (key === '__proto__') continue
    const value = (members.get(key) ?? readOther)(known[key])

    if (value !== undefined) request[key] = value
  }

  return isEmpty(request) ? undefined : request
}

/** A header, whatever the case of its name. */
export function headerOf(request: Json | undefined, wanted: string) {
  const headers = asObject(request?.headers)

  for (const name in headers) if (name.length === wanted.length && name.toLowerCase() === wanted) return asText(headers[name])

  return undefined
}

function asBounded(given: unknown) {
  const text = asText(given)

  return text && truncateText(text, longest)
}

function readOther(given: unknown) {
  return given === null ? undefined : truncateTree(given, tight)
}

function readQuery(given: unknown) {
  if (typeof given === 'string') return asBounded(asText(given)?.replace(/^\?+/, ''))
  const pairs = readPairs(given).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((each): Pair => [name, each]))

  const text = pairs.map(([name, value]) => `${escaped(name)}=${escaped(joinValues(value) ?? '')}`).join('&')

  // At its beginning it would be read as the sign that parts the query from the path.
  return asBounded(text.replace(/^\?/, '%3F'))
}

// Only what would be read as something else, so that the rest stays legible.
function escaped(text: string) {
  return storableText(text).replace(/[%&=#+\s]/g, encodeURIComponent)
}

function readCookies(given: unknown) {
  return typeof given === 'string' && !given.includes('=') ? asBounded(given) : asMap(readPairs(given, ';'))
}

/** At most a hundred; what comes again under the same name joins the first. */
function asMap(pairs: Pair[]) {
  const map: Record<string, string> = {}

  for (const [name, value] of pairs.slice(0, 100)) {
    const key = asName(name)
    const line = joinValues(value) ?? ''

    if (!key || key === '__proto__') continue
    map[key] = Object.hasOwn(map, key) && line ? `${map[key]}, ${line}` : line
  }

  return isEmpty(map) ? undefined : truncateTree(map, { ...tight, total: 4 * longest })
}
