/** A mapping of YAML. Read it with `valueAt`, so that a key such as `constructor` is not found by accident. */
export type Mapping = Record<string, unknown>

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

export function valueAt(mapping: unknown, key: string): unknown {
  return isMapping(mapping) && Object.hasOwn(mapping, key) ? mapping[key] : undefined
}

/** `__proto__` is a key like any other. */
export function set(mapping: Mapping, key: string, value: unknown) {
  Object.defineProperty(mapping, key, { value, configurable: true, enumerable: true, writable: true })
}

export function fromEntries(entries: Iterable<readonly [string, unknown]>) {
  const mapping: Mapping = {}

  for (const [key, value] of entries) set(mapping, key, value)

  return mapping
}

export function without(mapping: Mapping, ...keys: string[]) {
  return fromEntries(Object.entries(mapping).filter(([key]) => !keys.includes(key)))
}

/** Mappings are merged; of anything else, the second value wins. */
export function deepMerge(base: unknown, over: unknown): unknown {
  if (!isMapping(base) || !isMapping(over)) return over
  const added = Object.entries(over).map(([key, value]) => [key, deepMerge(valueAt(base, key), value)] as const)

  return fromEntries([...Object.entries(base), ...added])
}
