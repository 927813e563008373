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
