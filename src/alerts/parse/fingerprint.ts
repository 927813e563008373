import { createHash } from 'node:crypto'
import { isPresent } from './mapping.ts'
import type { Json } from './report.ts'

/** The fingerprint of what a payload names itself by: a text, or a list that is read as one. */
export function fingerprintOf(given: unknown) {
  const text = [given]
    .flat(Number.POSITIVE_INFINITY)
    .filter(isPresent)
    .map(part => (typeof part === 'object' ? JSON.stringify(part) : String(part)))
    .join('')

  return text.trim() ? sha1(text) : undefined
}

/** The fingerprint of all that a payload says, in whatever order; nothing when it says nothing. */
export function fingerprintOfAll(payload: Json) {
  const entries = flatten(payload).filter(([, value]) => isPresent(value))

  return entries.length > 0 ? sha1(JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))) : undefined
}

function flatten(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]

  return Object.entries(value).flatMap(([key, member]) => flatten(member, path ? `${path}.${key}` : key))
}

function sha1(text: string) {
  return createHash('sha1').update(text).digest('hex')
}
