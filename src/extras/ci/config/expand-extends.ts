import { countValues, refuseTooMany } from './expand.ts'
import { InvalidConfig } from './invalid-config.ts'
import { deepMerge, isMapping, type Mapping, set, valueAt, without } from './mapping.ts'

const maxDepth = 11
const maxBases = 50

/** Merges each job below what it `extends`, once, and stops when the result grows too big. */
export function expandExtends(config: Mapping): Mapping {
  const expanded: Mapping = {}
  let count = 0

  for (const name of Object.keys(config)) extend(name, [])

  return expanded

  function extend(name: string, chain: string[]): unknown {
    if (Object.hasOwn(expanded, name)) return expanded[name]
    const value = merge(name, chain)

    count += countValues(value)
    refuseTooMany(count)
    set(expanded, name, value)

    return value
  }

  function merge(name: string, chain: string[]) {
    const job = valueAt(config, name)
    const bases = isMapping(job) ? basesOf(name, job) : []

    if (bases.length === 0) return job
    if (chain.includes(name)) throw new InvalidConfig(`${name}: circular dependency detected in \`extends\``)
    if (chain.length === maxDepth) throw new InvalidConfig(`${name}: nesting too deep in \`extends\``)
    const merged = bases.map(base => extend(base, [...chain, name])).reduce(deepMerge, {})

    return without(deepMerge(merged, job) as Mapping, 'extends')
  }

  function basesOf(name: string, job: Mapping) {
    const given = valueAt(job, 'extends')

    if (given === undefined || given === null) return []
    const bases = [given].flat()

    if (!bases.every(base => typeof base === 'string'))
      throw new InvalidConfig(`jobs:${name}:extends config should be an array of strings or a string`)
    if (bases.length > maxBases) throw new InvalidConfig(`jobs:${name}:extends config has more than ${maxBases} items`)
    const unknown = bases.filter(base => !isMapping(valueAt(config, base)))

    if (unknown.length > 0) throw new InvalidConfig(`${name}: unknown keys in \`extends\` (${unknown.join(', ')})`)

    return bases
  }
}
