import type { ConfigFiles } from './config-files.ts'
import type { Variables } from './evaluate-expression.ts'
import { evaluateExpression } from './evaluate-expression.ts'
import { InvalidConfig } from './invalid-config.ts'
import { isMapping, type Mapping, valueAt } from './mapping.ts'
import { matchesPath } from './match-path.ts'

const elsewhere = ['remote', 'template', 'project', 'file', 'component', 'artifact']

/** The paths that the `include` of a configuration names, in order. */
export async function findIncluded(config: Mapping, files: ConfigFiles, variables: Variables) {
  const included: string[] = []

  for (const entry of entriesOf(valueAt(config, 'include'))) {
    if (await isWanted(entry, files, variables)) included.push(...(await pathsOf(entry, files)))
  }

  return included
}

function entriesOf(include: unknown) {
  if (include === undefined || include === null) return []
  const entries = Array.isArray(include) ? include : [include]

  return entries.map(entry => (typeof entry === 'string' ? { local: entry } : entry) as unknown)
}

async function pathsOf(entry: unknown, files: ConfigFiles) {
  const local = valueAt(entry, 'local')

  if (typeof local !== 'string' || local.includes('://')) throw refusal(entry)
  const path = local.replace(/^\//, '')

  if (!/\.ya?ml$/.test(path)) throw new InvalidConfig(`Included file \`${path}\` does not have YAML extension!`)
  if (!path.includes('*')) return [path]
  const found = (await pathsIn(files)).filter(file => matchesPath(path, file))

  if (found.length === 0) throw new InvalidConfig(`Local file \`${path}\` does not exist!`)

  return found.toSorted()
}

function refusal(entry: unknown) {
  const kind =
    elsewhere.find(name => valueAt(entry, name) !== undefined) ?? (String(valueAt(entry, 'local')).includes('://') ? 'remote' : undefined)

  if (kind) return new InvalidConfig(`include:${kind} is not supported: only files of the same repository can be included (include:local)`)

  return new InvalidConfig('include config should be a path, or a mapping with the key `local`')
}

/** `include:rules`: the first rule that matches decides. */
async function isWanted(entry: unknown, files: ConfigFiles, variables: Variables) {
  const rules = valueAt(entry, 'rules')

  if (!Array.isArray(rules)) return true
  for (const rule of rules) {
    if (await matches(rule, files, variables)) return valueAt(rule, 'when') !== 'never'
  }

  return false
}

async function matches(rule: unknown, files: ConfigFiles, variables: Variables) {
  if (!isMapping(rule)) throw new InvalidConfig('include:rules config should be a list of mappings')
  const condition = valueAt(rule, 'if')
  const paths = [valueAt(rule, 'exists') ?? []].flat().map(String)

  if (typeof condition === 'string' && !evaluateExpression(condition, variables)) return false
  if (paths.length === 0) return true
  const list = await pathsIn(files)

  return paths.some(pattern => list.some(path => matchesPath(pattern.replace(/^\//, ''), path)))
}

async function pathsIn(files: ConfigFiles) {
  return (await files.list()).map(({ path }) => path)
}
