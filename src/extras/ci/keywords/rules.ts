import { findSyntaxError } from '../config/evaluate-expression.ts'
import { type Check, fields, flag, listOf, oneOf, shortOr, texts, where } from './checks.ts'
import { allowFailure, duration, needs, variables } from './shared.ts'

const condition: Check = (value, at) => {
  if (typeof value !== 'string') return [`${at} config should be a string`]
  const reason = findSyntaxError(value)

  return reason ? [`${at} ${reason}`] : []
}

const paths = shortOr(texts, fields({ paths: texts, compare_to: texts, project: texts, ref: texts }, ['paths']))

const ruleFields = { if: condition, changes: paths, exists: paths }

/** `rules` of a job. */
export const jobRules: Check = rulesOf({
  ...ruleFields,
  when: oneOf('on_success', 'on_failure', 'always', 'never', 'manual', 'delayed'),
  start_in: duration,
  allow_failure: allowFailure,
  variables,
  needs,
  interruptible: flag
})

/** `workflow:rules` decide whether there is a pipeline at all. */
export const workflowRules: Check = rulesOf({
  ...ruleFields,
  when: oneOf('always', 'never'),
  variables,
  auto_cancel: fields({ on_new_commit: oneOf('conservative', 'interruptible', 'none'), on_job_failure: oneOf('none', 'all') })
})

/** Rules that come from references are lists in the list. Each rule is named by its number. */
function rulesOf(checks: Record<string, Check>): Check {
  const rule = fields(checks)

  return (value, at) => {
    if (!Array.isArray(value)) return [`${at} config should be an array of hashes`]

    return value.flat(10).flatMap((item, index) => rule(item, `${at}[${index + 1}]`))
  }
}

/** `only` and `except`, which `rules` replace. */
export const refs: Check = shortOr(
  texts,
  fields({ refs: texts, variables: listOf(condition), changes: texts, kubernetes: where('active', value => value === 'active') })
)
