export type Json = Record<string, unknown>

const nothing: Json = Object.freeze({})

/** Never undefined, so that what may be missing can be read through. */
export function asObject(given: unknown): Json {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Json) : nothing
}

/** What comes as a list, as `{ values }` around one, or alone. */
export function asValues(given: unknown): unknown[] {
  const values = asObject(given).values ?? given

  if (Array.isArray(values)) return values

  return typeof values === 'object' && values !== null ? [values] : []
}

export function asText(given: unknown): string {
  if (typeof given === 'string') return given

  return typeof given === 'number' ? String(given) : ''
}
