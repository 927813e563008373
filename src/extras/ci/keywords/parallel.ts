import { isMapping, type Mapping, valueAt } from '../config/mapping.ts'
import { type Check, fields, integer, isScalar, shortOr } from './checks.ts'

const maxParallel = 200

/** `needs:parallel` names a part of the matrix. */
export const matrixOnly: Check = fields({ matrix }, ['matrix'])

export const parallel: Check = shortOr(integer(1, maxParallel), matrixOnly)

/** How many jobs a valid `needs:parallel` names: one without it. */
export function countJobs(parallel: unknown) {
  const matrix = valueAt(parallel, 'matrix')

  return Array.isArray(matrix) ? countCombinations(matrix) : 1
}

/** Each entry makes the product of its values. */
function matrix(value: unknown, at: string) {
  const isMatrix =
    Array.isArray(value) && value.length > 0 && value.every(entry => isMapping(entry) && Object.values(entry).every(isValues))

  if (!isMatrix) return [`${at} config should be an array of hashes, each with a value or an array of values`]

  return countCombinations(value) > maxParallel ? [`${at} config makes more than ${maxParallel} jobs`] : []
}

function countCombinations(matrix: Mapping[]) {
  const countsOf = (entry: Mapping) => Object.values(entry).map(values => [values].flat().length)

  return matrix.reduce((sum, entry) => sum + countsOf(entry).reduce((product, count) => product * count, 1), 0)
}

function isValues(value: unknown) {
  return [value].flat().every(isScalar)
}
