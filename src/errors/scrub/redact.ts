import { isObject } from '#lib/json.ts'
import { redacted } from '#lib/scrub/redacted.ts'
import { mapElements, mapMembers } from './map-json.ts'

const maxCookieDepth = 2

/** Replaces a secret. Empty, masked and boolean values reveal nothing and stay. */
export function redact(value: unknown) {
  if (typeof value === 'string') return value === '' || /^\*+$/.test(value) ? value : redacted
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0 ? redacted : value

  return typeof value === 'number' ? redacted : value
}

/** Whether the value holds cookies by name. The names are useful and not secret. */
export function isCookieMap(key: string, value: unknown) {
  return typeof value === 'object' && /^cookies?$/i.test(key)
}

/** Redacts the values of cookies, sent as a map or as a list of pairs. */
export function redactCookies(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > maxCookieDepth) return redact(value)
  if (isObject(value)) return mapMembers(value, member => redactCookies(member, depth + 1))
  const list = value as unknown[]
  const isPair = depth > 0 && list.length === 2 && typeof list[0] === 'string'

  return mapElements(list, (element, n) => (isPair && n === 0 ? element : redactCookies(element, depth + 1)))
}
