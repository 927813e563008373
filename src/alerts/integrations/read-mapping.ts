import { ValidationFailed } from '../../http/problems/problems.ts'
import { isObject } from '../../lib/json.ts'
import { type Attribute, attributes, type Mapping, type Source } from '../parse/mapping.ts'
import { InvalidRule, isPath, readRule } from './read-rule.ts'

const maxSources = 5
/** GitLab's names. */
const aliases = new Map([['gitlab_environment_name', 'service_environment_name']])
const example = 'such as [["event", "name"], ["title"]]'

/** Validates a mapping from a request: for each attribute a source or a list of sources. A source is a path or a rule. */
export function readMapping(value: object): Mapping {
  const entries = Object.entries(value).map(([name, sources]) => [aliases.get(name) ?? name, readSources(name, sources)] as const)

  return Object.fromEntries(entries.filter(([, sources]) => sources.length > 0))
}

function readSources(name: string, value: unknown): Source[] {
  const attribute = attributes.find(attribute => attribute === (aliases.get(name) ?? name))

  if (!attribute) return reject(name, `is not an attribute of an alert: ${attributes.join(', ')}`)
  if (value === null) return []
  const sources = isPath(value) || isObject(value) ? [value] : value

  if (!Array.isArray(sources)) return reject(name, `must be a list of paths or rules, ${example}`)
  if (sources.length > maxSources) reject(name, `must have at most ${maxSources} paths or rules`)

  return sources.map(source => readSource(attribute, name, source))
}

function readSource(attribute: Attribute, name: string, source: unknown): Source {
  if (isPath(source)) return source
  if (!isObject(source)) return reject(name, `must be a list of paths or rules, ${example}`)
  try {
    return readRule(attribute, source)
  } catch (error) {
    if (error instanceof InvalidRule) reject(name, error.message)
    throw error
  }
}

function reject(name: string, reason: string): never {
  throw new ValidationFailed({ payload_attribute_mappings: { [name]: [reason] } })
}
