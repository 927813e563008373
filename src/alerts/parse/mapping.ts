/** The attributes of an alert that a payload can set. */
export const attributes = [
  'title',
  'description',
  'start_time',
  'end_time',
  'service',
  'monitoring_tool',
  'hosts',
  'severity',
  'service_environment_name',
  'fingerprint'
] as const
export type Attribute = (typeof attributes)[number]

/** Member names and array indexes, from the outermost inwards. */
export type Path = (string | number)[]

/** For each attribute, the paths that are tried in order. */
export type Mapping = { [A in Attribute]?: Path[] }

export type MappedAttributes = { [A in Attribute]?: unknown }

/** Reads the mapped attributes of a payload. Attributes whose paths all lead nowhere are left out. */
export function applyMapping(
  payload: unknown,
  mapping: Mapping,
  read: (payload: unknown, path: Path) => unknown = valueAt
): MappedAttributes {
  const mapped: MappedAttributes = {}

  for (const attribute of attributes) {
    const value = mapping[attribute]?.map(path => read(payload, path)).find(isPresent)

    if (value !== undefined) mapped[attribute] = value
  }

  return mapped
}

export function valueAt(payload: unknown, path: Path) {
  let value = payload

  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }

  return value
}

export function isPresent(value: unknown) {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')
}
