import { type Check, fields, oneOf, texts, where } from './checks.ts'
import { defaultKeywords } from './job-keywords.ts'
import { workflowRules } from './rules.ts'
import { variables } from './shared.ts'

export const maxNameLength = 255

const pipelineName = where(
  `a string of 1 to ${maxNameLength} characters`,
  value => typeof value === 'string' && value.length > 0 && value.length <= maxNameLength
)

/** Keywords of the whole configuration; every other key is a job. Some of `default` may stand here too, as they once had to. */
export const rootKeywords: Record<string, Check> = {
  default: fields(defaultKeywords),
  variables,
  stages: texts,
  types: texts,
  workflow: fields({
    name: pipelineName,
    rules: workflowRules,
    auto_cancel: fields({ on_new_commit: oneOf('conservative', 'interruptible', 'none'), on_job_failure: oneOf('none', 'all') })
  }),
  spec: (_value, at) => [`${at} is not supported: inputs do not exist, use variables instead`],
  before_script: defaultKeywords.before_script!,
  after_script: defaultKeywords.after_script!,
  image: defaultKeywords.image!,
  services: defaultKeywords.services!,
  cache: defaultKeywords.cache!
}
