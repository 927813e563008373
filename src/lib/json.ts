export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty object for everything that is not an object. */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : {}
}
