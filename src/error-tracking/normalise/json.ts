import { storableText } from '../../lib/storable-text.ts'

export type Json = Record<string, unknown>

/** Text that says something, as Postgres takes it: numbers are spelled out, anything else is nothing. */
export function asText(given: unknown) {
  if (typeof given === 'number') return String(given)
  if (typeof given !== 'string' || given === '') return undefined

  return storableText(given) || undefined
}

/** A name: one line without white space around it, of at most so many characters. */
export function asName(given: unknown, length = 200) {
  const text = asText(given)?.trim()

  if (!text) return undefined
  const line = /[\r\n\t]/.test(text) ? text.replace(/[\r\n\t]/g, ' ') : text

  return line.length > length
    ? `${line
        .slice(0, length - 1)
        .trimEnd()
        .toWellFormed()}…`
    : line
}

export function asObject(given: unknown) {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Json) : undefined
}

export function asList(given: unknown): unknown[] {
  return Array.isArray(given) ? given : []
}

/** What comes as a list, as { values } around it, or alone. */
export function asValues(given: unknown) {
  const object = asObject(given)
  const values = object && 'values' in object ? object.values : given

  return (Array.isArray(values) ? values : [values]).filter(asObject) as Json[]
}

/** Whether an object has anything to say at all. */
export function isEmpty(given: Json) {
  for (const _ in given) return false

  return true
}

/** The object without what is undefined, which JSON would drop anyway. */
export function present(given: Json) {
  for (const key in given) if (given[key] === undefined) delete given[key]

  return given
}
