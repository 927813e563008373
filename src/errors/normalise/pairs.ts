import { objectOrEmpty, textOrUndefined } from '#lib/json.ts'

export type Pair = [name: string, value: unknown]

/** Reads pairs from a map, a list of pairs, a list of { key, value } or { name, version }, or text such as a query. */
export function readPairs(value: unknown, separator = '&'): Pair[] {
  if (typeof value === 'string') return value.split(separator, 1000).flatMap(pairOfText)
  if (Array.isArray(value)) return value.flatMap(pairOfElement)

  return Object.entries(objectOrEmpty(value))
}

/** A value as text; the members of a list are joined. */
export function joinValues(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value)
  if (!Array.isArray(value)) return textOrUndefined(value)

  return value
    .map(member => textOrUndefined(member))
    .filter(Boolean)
    .join(', ')
}

function pairOfElement(element: unknown): Pair[] {
  if (Array.isArray(element)) return typeof element[0] === 'string' ? [[element[0], element[1]]] : []
  const { key, name, value, version } = objectOrEmpty(element)
  const text = textOrUndefined(key) ?? textOrUndefined(name)

  return text ? [[text, value ?? version]] : []
}

function pairOfText(text: string): Pair[] {
  const at = text.indexOf('=')
  const name = (at === -1 ? text : text.slice(0, at)).trim()

  return name ? [[name, at === -1 ? '' : text.slice(at + 1).trim()]] : []
}
