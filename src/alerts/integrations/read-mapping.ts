import { isObject } from '#lib/json.ts'
import { type Reasons, ValidationFailed } from '#lib/refusals.ts'
import { type Attribute, attributes, type Mapping, type Source } from '../parse/mapping.ts'
import { InvalidRule, isPath, readRule } from './read-rule.ts'

const maxSources = 5
/** GitLab's names. */
const aliases = new Map([['gitlab_environment_name', 'service_environment_name']])
const example = 'such as [["event", "name"], ["title"]]'

/**
 * Validates a mapping from a request: for each attribute a source or a list of sources, or GitLab's list of sources with
 * the names of their attributes. A source is a path or a rule. All that is wrong is reported at once.
 */
export function readMapping(value: object): Mapping {
  const reasons: Reasons = {}
  const entries = entriesOf(value).map(([name, sources]) => [aliases.get(name) ?? name, readOrReject(reasons, name, sources)] as const)

  if (Object.keys(reasons).length > 0) throw new ValidationFailed({ payload_attribute_mappings: reasons })

  return Object.fromEntries(entries.filter(([, sources]) => sources.length > 0))
}

function entriesOf(value: object): [string, unknown][] {
  if (!Array.isArray(value)) return Object.entries(value)
  const fields = value.map(readField)

  return [...Map.groupBy(fields, ({ name }) => name)].map(([name, sources]) => [name, sources.map(({ source }) => source)])
}

/** GitLab writes the attribute in capitals: `{"fieldName": "START_TIME", "path": ["begin"], "type": "DATETIME"}`. */
function readField(field: unknown, n: number) {
  const { fieldName, field_name: name = fieldName, ...source } = isObject(field) ? field : {}

  if (typeof name !== 'string') {
    throw new ValidationFailed({ payload_attribute_mappings: { [n]: { fieldName: ['is missing'] } } })
  }

  return { name: name.toLowerCase(), source }
}

class InvalidSources extends Error {}

function readOrReject(reasons: Reasons, name: string, sources: unknown) {
  try {
    return readSources(name, sources)
  } catch (error) {
    if (!(error instanceof InvalidSources)) throw error
    reasons[name] = [error.message]

    return []
  }
}

function readSources(name: string, value: unknown): Source[] {
  const attribute = attributes.find(attribute => attribute === (aliases.get(name) ?? name))

  if (!attribute) throw new InvalidSources(`is not an attribute of an alert: ${attributes.join(', ')}`)
  if (value === null) return []
  const sources = isPath(value) || isObject(value) ? [value] : value

  if (!Array.isArray(sources)) throw new InvalidSources(`must be a list of paths or rules, ${example}`)
  if (sources.length > maxSources) throw new InvalidSources(`must have at most ${maxSources} paths or rules`)

  return sources.map(source => readSource(attribute, source))
}

function readSource(attribute: Attribute, source: unknown): Source {
  if (isPath(source)) return source
  if (!isObject(source)) throw new InvalidSources(`must be a list of paths or rules, ${example}`)
  try {
    return readRule(attribute, source)
  } catch (error) {
    throw error instanceof InvalidRule ? new InvalidSources(error.message) : error
  }
}
