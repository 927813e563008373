import { isMapping, type Mapping } from '../config/mapping.ts'

/** Returns the errors of a keyword's value. `at` names job and keyword: `jobs:test:script`. */
export type Check = (value: unknown, at: string) => string[]

/** `expected` completes the sentence "config should be …". */
export function where(expected: string, isValid: (value: unknown) => boolean): Check {
  return (value, at) => (isValid(value) ? [] : [`${at} config should be ${expected}`])
}

export const text = where('a string', value => typeof value === 'string')
export const scalar = where('a string or a number', isScalar)
export const flag = where('a boolean value', value => typeof value === 'boolean')
export const mapping = where('a hash', isMapping)
export const texts = where('an array of strings or a string', value => [value].flat().every(item => typeof item === 'string'))

export function integer(min: number, max: number) {
  return where(`a whole number between ${min} and ${max}`, value => Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
}

export function oneOf(...values: unknown[]) {
  return where(`one of: ${values.join(', ')}`, value => values.includes(value))
}

/** Commands. Anchors and references nest lists in lists. */
export const commands = where('a string or a nested array of strings up to 10 levels deep', value =>
  [value].flat(10).every(item => typeof item === 'string')
)

export function listOf(check: Check, { max = 1000 } = {}): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return [`${at} config should be an array`]
    if (value.length > max) return [`${at} config has more than ${max} items`]

    return value.flatMap(item => check(item, at))
  }
}

/** A mapping with these keys, and no others. */
export function fields(checks: Record<string, Check>, required: string[] = []): Check {
  return (value, at) => {
    if (!isMapping(value)) return [`${at} config should be a hash`]
    const unknown = Object.keys(value).filter(key => !Object.hasOwn(checks, key))
    const missing = required.filter(key => !Object.hasOwn(value, key))

    return [
      ...(unknown.length > 0 ? [`${at} config contains unknown keys: ${unknown.slice(0, 20).join(', ')}`] : []),
      ...(missing.length > 0 ? [`${at} config missing required keys: ${missing.join(', ')}`] : []),
      ...checkFields(value, checks, at)
    ]
  }
}

/** A value for which there is no configuration at all is ignored. */
export function checkFields(value: Mapping, checks: Record<string, Check>, at: string) {
  return Object.entries(value).flatMap(([key, item]) =>
    Object.hasOwn(checks, key) && item !== null && item !== undefined ? checks[key]!(item, `${at}:${key}`) : []
  )
}

/** Strings and short forms are checked by the one, mappings by the other. */
export function shortOr(short: Check, long: Check): Check {
  return (value, at) => (isMapping(value) ? long : short)(value, at)
}

/** Names with values, such as variables. */
export function valuesOf(check: Check): Check {
  return (value, at) => {
    if (!isMapping(value)) return [`${at} config should be a hash`]

    return Object.entries(value).flatMap(([key, item]) => check(item, `${at}:${key}`))
  }
}

export function isScalar(value: unknown) {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
