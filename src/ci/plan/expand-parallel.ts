import { InvalidConfig } from '../config/invalid-config.ts'
import { maxParallel } from '../keywords/job-keywords.ts'
import { isMapping, valueAt } from '../yaml/mapping.ts'
import type { PlannedJob } from './planned-job.ts'

/** A job that runs several times, `test 1/3` to `test 3/3` or `test: [a, b]`, becomes as many jobs. */
export function expandParallel(job: PlannedJob): PlannedJob[] {
  const parallel = valueAt(job.keywords, 'parallel')

  if (typeof parallel === 'number') return expandNumbers(job, parallel)
  const matrix = valueAt(parallel, 'matrix')

  return Array.isArray(matrix) ? expandMatrix(job, matrix) : [job]
}

function expandNumbers(job: PlannedJob, total: number) {
  return Array.from({ length: total }, (_, index) => ({
    ...job,
    name: `${job.name} ${index + 1}/${total}`,
    variables: { ...job.variables, CI_NODE_INDEX: String(index + 1), CI_NODE_TOTAL: String(total) }
  }))
}

function expandMatrix(job: PlannedJob, matrix: unknown[]) {
  const combinations = matrix.flatMap(entry => (isMapping(entry) ? combine(Object.entries(entry), job.name) : []))

  refuseTooMany(combinations.length, job.name)

  return combinations.map((values, index) => ({
    ...job,
    name: `${job.name}: [${Object.values(values).join(', ')}]`,
    variables: { ...job.variables, ...values, CI_NODE_INDEX: String(index + 1), CI_NODE_TOTAL: String(combinations.length) }
  }))
}

function combine(entries: [string, unknown][], name: string) {
  let combinations: Record<string, string>[] = [{}]

  for (const [key, values] of entries) {
    combinations = combinations.flatMap(combination => [values].flat().map(value => ({ ...combination, [key]: String(value) })))
    refuseTooMany(combinations.length, name)
  }

  return combinations
}

function refuseTooMany(count: number, name: string) {
  if (count > maxParallel) throw new InvalidConfig(`jobs:${name}:parallel:matrix config makes more than ${maxParallel} jobs`)
}
