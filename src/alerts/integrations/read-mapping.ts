import { ValidationFailed } from '../../http/problems/problems.ts'
import { attributes, type Mapping, type Path } from '../parse/mapping.ts'

const mostCandidates = 5
const deepest = 20
const longestName = 255
/** By the name of the specification, and by the one that clients know. */
const synonyms: Record<string, string> = { gitlab_environment_name: 'service_environment_name' }
const example = 'such as [["event", "name"], ["title"]]'

/** A mapping as somebody gave it: for each attribute a path, or several that are tried in turn. */
export function readMapping(given: object): Mapping {
  const entries = Object.entries(given).map(([name, paths]) => [synonyms[name] ?? name, readPaths(name, paths)] as const)

  return Object.fromEntries(entries.filter(([, paths]) => paths.length > 0))
}

function readPaths(name: string, given: unknown): Path[] {
  if (!attributes.includes((synonyms[name] ?? name) as never))
    refuse(name, `is no attribute of an alert: these are ${attributes.join(', ')}`)
  if (given === null) return []
  const paths = isPath(given) ? [given] : given

  if (!Array.isArray(paths) || !paths.every(isPath)) return refuse(name, `must be a list of paths, ${example}`)
  if (paths.length > mostCandidates) refuse(name, `must have at most ${mostCandidates} paths`)

  return paths
}

function isPath(given: unknown): given is Path {
  return Array.isArray(given) && given.length > 0 && given.length <= deepest && given.every(isStep)
}

function isStep(step: unknown) {
  return typeof step === 'string' ? step.length <= longestName : Number.isInteger(step) && Number(step) >= 0 && Number(step) <= 1_000_000
}

function refuse(name: string, reason: string): never {
  throw new ValidationFailed({ payload_attribute_mappings: { [name]: [reason] } })
}
