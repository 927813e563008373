import { InvalidConfig } from './invalid-config.ts'
import { fromEntries, isMapping } from './mapping.ts'

const maxValues = 100_000
const maxDepth = 100

/**
 * A copy in which nothing is shared. YAML's aliases can describe more values than memory holds ("billion laughs"), so the copy is
 * counted while it grows.
 */
export function expand(value: unknown, replace: (value: unknown) => unknown = value => value) {
  let count = 0

  return copy(value, 0)

  function copy(given: unknown, depth: number): unknown {
    const value = replace(given)

    count++
    refuseTooMany(count)
    if (depth > maxDepth) throw new InvalidConfig(`the configuration is nested too deeply: more than ${maxDepth} levels`)
    if (Array.isArray(value)) return value.map(item => copy(item, depth + 1))
    if (!isMapping(value)) return value

    return fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, depth + 1)] as const))
  }
}

export function countValues(value: unknown): number {
  const items = Array.isArray(value) ? value : isMapping(value) ? Object.values(value) : []

  return items.reduce<number>((count, item) => count + countValues(item), 1)
}

export function refuseTooMany(count: number) {
  if (count > maxValues) throw new InvalidConfig(`the configuration is too big: it has more than ${maxValues} values`)
}
