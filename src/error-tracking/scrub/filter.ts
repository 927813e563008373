import { filtered } from './credentials.ts'
import { eachElement, eachMember } from './iterate-json.ts'

/** What says nothing about a secret, or is one no more, may stay. */
export function filter(value: unknown) {
  if (typeof value === 'string') return value === '' || /^\*+$/.test(value) ? value : filtered
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0 ? filtered : value

  return typeof value === 'number' ? filtered : value
}

/** The names of cookies tell something, and no secret. */
export function isCookies(key: string, value: unknown) {
  return typeof value === 'object' && /^cookies?$/i.test(key)
}

export function filterLeaves(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > 2) return filter(value)
  if (!Array.isArray(value)) return eachMember(value as Record<string, unknown>, member => filterLeaves(member, depth + 1))
  const isPair = depth > 0 && value.length === 2 && typeof value[0] === 'string'

  return eachElement(value, (element, n) => (isPair && n === 0 ? element : filterLeaves(element, depth + 1)))
}
