import { isEmpty, isObject, type Json, objectOrEmpty, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import { storableText } from '#lib/storable-text.ts'
import { joinValues, type Pair, readPairs } from './pairs.ts'
import { singleLine, truncateText, truncateTree } from './truncate.ts'

const maxLength = 8192
const maxPairs = 100
const limits = { depth: 7, text: maxLength, total: maxLength }

const fields = new Map<string, (value: unknown) => unknown>([
  ['url', boundedText],
  ['method', value => singleLine(value, 32)],
  ['query_string', normaliseQuery],
  ['fragment', boundedText],
  ['headers', value => toMap(readPairs(value, '\n'))],
  ['cookies', normaliseCookies],
  ['data', value => (typeof value === 'object' ? truncateTree(value ?? undefined, limits) : boundedText(joinValues(value)))],
  ['env', value => (isObject(value) ? truncateTree(value, limits) : undefined)]
])

/** The HTTP request of an event: headers and cookies as maps, the query as it is in a URL. */
export function normaliseRequest(value: unknown): Json | undefined {
  const request: Json = {}
  const sent = objectOrEmpty(value)

  for (const key in sent) {
    if (key === '__proto__') continue
    const normalised = (fields.get(key) ?? other)(sent[key])

    if (normalised !== undefined) request[key] = normalised
  }

  return isEmpty(request) ? undefined : request
}

/** A header by its lower-case name. */
export function headerOf(request: Json | undefined, header: string) {
  const headers = objectOrUndefined(request?.headers)

  for (const name in headers) if (name.length === header.length && name.toLowerCase() === header) return textOrUndefined(headers[name])

  return undefined
}

function boundedText(value: unknown) {
  const text = textOrUndefined(value)

  return text && truncateText(text, maxLength)
}

function other(value: unknown) {
  return value === null ? undefined : truncateTree(value, limits)
}

function normaliseQuery(value: unknown) {
  if (typeof value === 'string') return boundedText(value.replace(/^\?+/, ''))
  const pairs = readPairs(value).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((each): Pair => [name, each]))
  const text = pairs.map(([name, value]) => `${escapeReserved(name)}=${escapeReserved(joinValues(value) ?? '')}`).join('&')

  // A leading question mark would be read as the start of the query.
  return boundedText(text.replace(/^\?/, '%3F'))
}

/** Escapes only what would change the query's meaning, so that the rest stays readable. */
function escapeReserved(text: string) {
  return storableText(text).replace(/[%&=#+\s]/g, encodeURIComponent)
}

function normaliseCookies(value: unknown) {
  return typeof value === 'string' && !value.includes('=') ? boundedText(value) : toMap(readPairs(value, ';'))
}

/** Values of the same name are joined. */
function toMap(pairs: Pair[]) {
  const map: Record<string, string> = {}

  for (const [name, value] of pairs.slice(0, maxPairs)) {
    const key = singleLine(name)
    const text = joinValues(value) ?? ''

    if (!key || key === '__proto__') continue
    map[key] = Object.hasOwn(map, key) && text ? `${map[key]}, ${text}` : text
  }

  return isEmpty(map) ? undefined : truncateTree(map, { ...limits, total: 4 * maxLength })
}
