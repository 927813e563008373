import { isMapping, type Mapping, valueAt } from './mapping.ts'

export interface Instance {
  name: string
  variables: Record<string, string>
}

/** A job that runs several times, `test 1/3` to `test 3/3` or `test: [a, b]`; undefined when it runs once. */
export function instancesOf(name: string, parallel: unknown): Instance[] | undefined {
  if (typeof parallel === 'number') return expandNumber(name, parallel)
  const matrix = valueAt(parallel, 'matrix')

  return Array.isArray(matrix) ? expandMatrix(name, matrix) : undefined
}

function expandNumber(name: string, total: number) {
  return Array.from({ length: total }, (_, index) => ({ name: `${name} ${index + 1}/${total}`, variables: nodeOf(index, total) }))
}

function expandMatrix(name: string, matrix: unknown[]) {
  const combinations = matrix.filter(isMapping).flatMap(combine)

  return combinations.map((values, index) => ({
    name: `${name}: [${Object.values(values).join(', ')}]`,
    variables: { ...values, ...nodeOf(index, combinations.length) }
  }))
}

/** The product of the values. */
function combine(entry: Mapping) {
  return Object.entries(entry).reduce<Record<string, string>[]>(
    (combinations, [key, values]) =>
      combinations.flatMap(combination => [values].flat().map(value => ({ ...combination, [key]: String(value) }))),
    [{}]
  )
}

function nodeOf(index: number, total: number) {
  return { CI_NODE_INDEX: String(index + 1), CI_NODE_TOTAL: String(total) }
}
