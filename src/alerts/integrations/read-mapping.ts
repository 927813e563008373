import { ValidationFailed } from '../../http/problems/problems.ts'
import { attributes, type Mapping, type Path } from '../parse/mapping.ts'

const maxPaths = 5
const maxSteps = 20
const maxNameLength = 255
/** GitLab's names. */
const aliases = new Map([['gitlab_environment_name', 'service_environment_name']])
const example = 'such as [["event", "name"], ["title"]]'

/** Validates a mapping from a request: for each attribute one path or a list of paths. */
export function readMapping(value: object): Mapping {
  const entries = Object.entries(value).map(([name, paths]) => [aliases.get(name) ?? name, readPaths(name, paths)] as const)

  return Object.fromEntries(entries.filter(([, paths]) => paths.length > 0))
}

function readPaths(name: string, value: unknown): Path[] {
  if (!attributes.includes((aliases.get(name) ?? name) as never)) reject(name, `is not an attribute of an alert: ${attributes.join(', ')}`)
  if (value === null) return []
  const paths = isPath(value) ? [value] : value

  if (!Array.isArray(paths) || !paths.every(isPath)) return reject(name, `must be a list of paths, ${example}`)
  if (paths.length > maxPaths) reject(name, `must have at most ${maxPaths} paths`)

  return paths
}

function isPath(value: unknown): value is Path {
  return Array.isArray(value) && value.length > 0 && value.length <= maxSteps && value.every(isStep)
}

function isStep(step: unknown) {
  return typeof step === 'string' ? step.length <= maxNameLength : Number.isInteger(step) && Number(step) >= 0 && Number(step) <= 1_000_000
}

function reject(name: string, reason: string): never {
  throw new ValidationFailed({ payload_attribute_mappings: { [name]: [reason] } })
}
