/** What a payload can say of an alert. */
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

/** Where in a payload to look for an attribute: member names and positions, from the outside in. */
export type Path = (string | number)[]

/** For each attribute, the paths that are tried in turn. */
export type Mapping = { [A in Attribute]?: Path[] }

export type Mapped = { [A in Attribute]?: unknown }

/** Takes out of a payload what a mapping points at. Where none of its paths leads to anything, the usual members count. */
export function applyMapping(payload: unknown, mapping: Mapping, look: (payload: unknown, path: Path) => unknown = valueAt): Mapped {
  const mapped: Mapped = {}

  for (const attribute of attributes) {
    const found = mapping[attribute]?.map(path => look(payload, path)).find(isPresent)

    if (found !== undefined) mapped[attribute] = found
  }

  return mapped
}

/** What lies at the end of a path, or nothing. */
export function valueAt(payload: unknown, path: Path) {
  let found = payload

  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<string | number, unknown>)[step]
  }

  return found
}

export function isPresent(value: unknown) {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')
}
