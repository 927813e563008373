import { asObject, asText } from './json.ts'

export type Pair = [name: string, value: unknown]

/** Names and values, which came as a map, as a list of pairs, as a list of { key, value } or { name, version }, or as text. */
export function readPairs(given: unknown, separator = '&'): Pair[] {
  if (typeof given === 'string') return given.split(separator, 1000).flatMap(readText)
  if (Array.isArray(given)) return given.flatMap(readPair)

  return Object.entries(asObject(given) ?? {})
}

/** A value as one text: what came several times stands in one line. */
export function joinValues(given: unknown): string | undefined {
  if (typeof given === 'boolean') return String(given)

  return Array.isArray(given)
    ? given
        .map(member => asText(member))
        .filter(Boolean)
        .join(', ')
    : asText(given)
}

function readPair(given: unknown): Pair[] {
  if (Array.isArray(given)) return typeof given[0] === 'string' ? [[given[0], given[1]]] : []
  const { key, name, value, version } = asObject(given) ?? {}
  const known = asText(key) ?? asText(name)

  return known ? [[known, value ?? version]] : []
}

function readText(text: string): Pair[] {
  const at = text.indexOf('=')
  const name = (at === -1 ? text : text.slice(0, at)).trim()

  return name ? [[name, at === -1 ? '' : text.slice(at + 1).trim()]] : []
}
