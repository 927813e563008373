import { isObject } from '#lib/json.ts'
import type { Path, ReadPath } from './payload-reader.ts'
import { fillTemplate, templatePaths } from './template.ts'

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
  'fingerprint',
  'status'
] as const
export type Attribute = (typeof attributes)[number]

/** A value with exactly one origin: a path, joined paths, a template, or a constant. */
export interface Rule {
  /** GitLab's: kept, without an effect. */
  type?: string
  label?: string
  path?: Path
  join?: Path[]
  /** Between joined values. Without one, hosts and fingerprints are lists, and other attributes have a space. */
  separator?: string
  /** Such as `{host.name} is {state}`; absent unless all its fields are present. */
  template?: string
  constant?: string
  /** Replaces the value; `*` matches all other values. A value that is not in the table is absent. */
  values?: Record<string, string>
  /** The rule applies only if the value at the path is one of these. */
  when?: { path: Path; is: string[] }
}

export type Source = Path | Rule

/** For each attribute, the sources that are tried in order. */
export type Mapping = { [A in Attribute]?: Source[] }

export type MappedAttributes = { [A in Attribute]?: unknown }

/** Evaluates the mapped attributes of a payload. Attributes whose sources are all absent are left out. */
export function applyMapping(mapping: Mapping, read: ReadPath): MappedAttributes {
  const mapped: MappedAttributes = {}

  for (const attribute of attributes) {
    for (const source of mapping[attribute] ?? []) {
      const value = evaluate(attribute, toRule(source), read)

      if (!isPresent(value)) continue
      mapped[attribute] = value
      break
    }
  }

  return mapped
}

/** The paths that an attribute is read from. */
export function pathsOf(source: Source): Path[] {
  const { path, join = [], template = '' } = toRule(source)

  return [...(path ? [path] : join), ...templatePaths(template)]
}

export function isPresent(value: unknown) {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')
}

function toRule(source: Source): Rule {
  return Array.isArray(source) ? { path: source } : source
}

function evaluate(attribute: Attribute, { when, values, ...origin }: Rule, read: ReadPath) {
  if (when && !when.is.some(value => isSame(value, read(when.path)))) return undefined
  const value = readOrigin(attribute, origin, read)

  return values && isPresent(value) ? lookUp(values, value) : value
}

function readOrigin(attribute: Attribute, { path, join, separator, template, constant }: Rule, read: ReadPath) {
  if (path) return read(path)
  if (template !== undefined) return fillTemplate(template, read)
  if (!join) return constant
  const parts = join.map(read).filter(isPresent)
  const isList = separator === undefined && (attribute === 'hosts' || attribute === 'fingerprint')

  return isList ? parts : parts.join(separator ?? ' ')
}

function lookUp(values: Record<string, string>, value: unknown) {
  return Object.entries(values).find(([name]) => isSame(name, value))?.[1] ?? values['*']
}

/** Case-insensitive. Objects and lists are never the same as a text. */
function isSame(name: string, value: unknown) {
  return !isObject(value) && !Array.isArray(value) && String(value).trim().toLowerCase() === name.trim().toLowerCase()
}
