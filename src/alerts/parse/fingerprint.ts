import { hash } from 'node:crypto'
import type { Json } from '#lib/json.ts'
import { isPresent } from './mapping.ts'

/** The fingerprint from a payload's own identifier: a text, or a list. */
export function fingerprintOf(identifier: unknown) {
  const parts = [identifier]
    .flat(Number.POSITIVE_INFINITY)
    .filter(isPresent)
    .map(part => (typeof part === 'object' ? JSON.stringify(part) : String(part)))
  // Joined without a separator, ["ab", "c"] and ["a", "bc"] would be the same alert.
  const text = parts.length > 1 ? JSON.stringify(parts) : (parts[0] ?? '')

  return text.trim() ? hash('sha1', text) : undefined
}

/** The fingerprint of a payload's content, whatever the order of its members; undefined for an empty one. */
export function contentFingerprint(payload: Json) {
  const entries = flatten(payload).filter(([, value]) => isPresent(value))

  return entries.length > 0 ? hash('sha1', JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))) : undefined
}

function flatten(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]

  return Object.entries(value).flatMap(([key, member]) => flatten(member, path ? `${path}.${key}` : key))
}
