import { isMapping } from '../config/mapping.ts'
import { type Check, checkFields, commands, fields, flag, mapping, oneOf, shortOr, text, texts, where } from './checks.ts'
import { parallel } from './parallel.ts'
import { jobRules, refs } from './rules.ts'
import { allowFailure, artifacts, cache, duration, image, needs, retry, services, variables } from './shared.ts'

const environment: Check = shortOr(
  text,
  fields({
    name: text,
    url: text,
    on_stop: text,
    action: oneOf('start', 'stop', 'prepare', 'verify', 'access'),
    auto_stop_in: duration,
    deployment_tier: oneOf('production', 'staging', 'testing', 'development', 'other'),
    kubernetes: mapping
  })
)

const release: Check = fields(
  { tag_name: text, tag_message: text, name: text, description: text, ref: text, milestones: texts, released_at: text, assets: mapping },
  ['tag_name', 'description']
)

/** Keywords that `default` can set for all jobs. */
export const defaultKeywords: Record<string, Check> = {
  after_script: commands,
  artifacts,
  before_script: commands,
  cache,
  hooks: fields({ pre_get_sources_script: commands }),
  id_tokens: mapping,
  identity: text,
  image,
  interruptible: flag,
  retry,
  services,
  tags: texts,
  timeout: duration
}

export const jobKeywords: Record<string, Check> = {
  ...defaultKeywords,
  allow_failure: allowFailure,
  coverage: where('a regular expression between slashes', value => typeof value === 'string' && /^\/.{1,1000}\/$/s.test(value)),
  dast_configuration: mapping,
  dependencies: texts,
  environment,
  except: refs,
  extends: texts,
  inherit: fields({ default: inherited, variables: inherited }),
  manual_confirmation: text,
  needs,
  only: refs,
  pages: where('a boolean value or a hash', value => typeof value === 'boolean' || isMapping(value)),
  parallel,
  publish: text,
  release,
  resource_group: text,
  rules: jobRules,
  run: where('an array', Array.isArray),
  script: commands,
  secrets: mapping,
  stage: text,
  start_in: duration,
  trigger: shortOr(text, mapping),
  variables,
  when: oneOf('on_success', 'on_failure', 'always', 'manual', 'delayed', 'never')
}

export function checkJob(job: Record<string, unknown>, at: string) {
  const unknown = Object.keys(job).filter(key => !Object.hasOwn(jobKeywords, key))

  return [
    ...(unknown.length > 0 ? [`${at} config contains unknown keys: ${unknown.slice(0, 20).join(', ')}`] : []),
    ...checkFields(job, jobKeywords, at)
  ]
}

/** `inherit` is a yes or no, or a list of what is inherited. */
function inherited(value: unknown, at: string) {
  return where('a boolean value or an array of strings', value => typeof value === 'boolean' || isTexts(value))(value, at)
}

function isTexts(value: unknown) {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}
