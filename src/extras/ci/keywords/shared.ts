import { valueAt } from '../config/mapping.ts'
import {
  type Check,
  fields,
  flag,
  integer,
  isScalar,
  listOf,
  mapping,
  oneOf,
  scalar,
  shortOr,
  text,
  texts,
  valuesOf,
  where
} from './checks.ts'
import { parseDuration } from './duration.ts'
import { countJobs, matrixOnly } from './parallel.ts'
import { reports } from './reports.ts'

export const duration = where('a duration, such as 30 minutes', value => parseDuration(value) !== undefined)

export const variables: Check = valuesOf(
  shortOr(
    where('a string, a number or a boolean', value => value === null || isScalar(value)),
    fields({ value: scalar, description: text, expand: flag, options: listOf(scalar) })
  )
)

const exitCodes = where('a whole number or an array of them', value => [value].flat().every(Number.isInteger))

export const allowFailure: Check = shortOr(flag, fields({ exit_codes: exitCodes }))

const need: Check = shortOr(
  text,
  fields({ job: text, artifacts: flag, optional: flag, pipeline: text, project: text, ref: text, parallel: matrixOnly })
)

/** As GitLab has it: more needs slow every pipeline down. */
const maxNeeds = 50
const maxNeededJobs = 200

export const needs: Check = (value, at) => {
  const errors = Array.isArray(value) ? listOf(need, { max: maxNeeds })(value, at) : need(value, at)

  return errors.length === 0 && countNeeded(value) > maxNeededJobs ? [`${at} config names more than ${maxNeededJobs} jobs`] : errors
}

function countNeeded(needs: unknown) {
  return [needs].flat().reduce<number>((sum, need) => sum + countJobs(valueAt(need, 'parallel')), 0)
}

export const image: Check = shortOr(
  text,
  fields({ name: text, entrypoint: texts, pull_policy: texts, docker: mapping, kubernetes: mapping }, ['name'])
)

export const services: Check = listOf(
  shortOr(
    text,
    fields(
      { name: text, alias: text, entrypoint: texts, command: texts, pull_policy: texts, variables, docker: mapping, kubernetes: mapping },
      ['name']
    )
  )
)

const keyFiles = where(
  'an array of one or two strings',
  value => Array.isArray(value) && [1, 2].includes(value.length) && texts(value, '').length === 0
)

const oneCache = fields({
  key: shortOr(scalar, fields({ files: keyFiles, prefix: text }, ['files'])),
  paths: texts,
  untracked: flag,
  unprotect: flag,
  when: oneOf('on_success', 'on_failure', 'always'),
  policy: text,
  fallback_keys: texts
})

export const cache: Check = (value, at) => (Array.isArray(value) ? listOf(oneCache, { max: 4 })(value, at) : oneCache(value, at))

export const artifacts: Check = fields({
  name: text,
  paths: texts,
  exclude: texts,
  untracked: flag,
  when: oneOf('on_success', 'on_failure', 'always'),
  expire_in: where('a duration, such as 1 week, or never', value => value === 'never' || parseDuration(value) !== undefined),
  expose_as: text,
  public: flag,
  access: oneOf('none', 'developer', 'all', 'maintainer'),
  reports
})

export const retry: Check = shortOr(integer(0, 2), fields({ max: integer(0, 2), when: texts, exit_codes: exitCodes }))
