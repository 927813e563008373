import { parseJson } from '#lib/json.ts'
import { isTooDeep } from '#lib/json-depth.ts'

/** Member names and array indexes, from the outermost inwards. A step into a text reads it as JSON. */
export type Path = (string | number)[]

export type ReadPath = (path: Path) => unknown

const maxDepth = 100

/** Reads values of a payload by their paths. JSON in a text is parsed once. */
export function payloadReader(payload: unknown): ReadPath {
  const parsed = new Map<string, unknown>()
  const parse = (text: string) => {
    if (!parsed.has(text)) parsed.set(text, parseText(text))

    return parsed.get(text)
  }

  return path => valueAt(payload, path, parse)
}

function valueAt(payload: unknown, path: Path, parse: (text: string) => unknown) {
  let value = payload

  for (const step of path) {
    if (typeof value === 'string') value = parse(value)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }

  return value
}

/** Undefined for a text that is not a JSON object or array. */
export function parseText(text: string) {
  if (!/^\s*[{[]/.test(text) || isTooDeep(text, maxDepth)) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
