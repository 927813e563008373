import { checkFields } from '../keywords/checks.ts'
import { checkJob } from '../keywords/job-keywords.ts'
import { rootKeywords } from '../keywords/root-keywords.ts'
import { isMapping, type Mapping, valueAt } from './mapping.ts'
import { visibleJobs } from './read-jobs.ts'

const maxJobs = 2000

/** Checks the keywords: their names, the shape of their values, and which exclude each other. */
export function checkConfig(config: Mapping) {
  const jobs = visibleJobs(config)

  return [
    ...checkFields(config, rootKeywords, 'root').map(message => message.replace(/^root:/, '')),
    ...(jobs.length === 0 ? ['jobs config should contain at least one visible job'] : []),
    ...(jobs.length > maxJobs ? [`jobs config has more than ${maxJobs} jobs`] : []),
    ...jobs.flatMap(([name, job]) => checkOne(name, job))
  ]
}

function checkOne(name: string, job: unknown) {
  const at = `jobs:${name}`

  if (!isMapping(job)) return [`${at} config should be a hash`]
  if (name.length > 255) return [`${at} name is longer than 255 characters`]
  if (name.trim() === '') return ["jobs config has a job whose name can't be blank"]
  if (!['script', 'run', 'trigger'].some(key => valueAt(job, key) != null)) {
    return [`jobs ${name} config should implement the script:, run:, or trigger: keyword`]
  }

  return [...checkJob(job, at), ...checkTogether(job, at)]
}

function checkTogether(job: Mapping, at: string) {
  const has = (key: string) => valueAt(job, key) != null
  const beside = ['only', 'except'].filter(key => has('rules') && has(key))

  return [
    ...(beside.length > 0 ? [`${at} config key may not be used with \`rules\`: ${beside.join(', ')}`] : []),
    ...(has('script') && isEmpty(valueAt(job, 'script')) ? [`${at}:script config can't be blank`] : []),
    ...(valueAt(job, 'when') === 'delayed' && !has('start_in') ? [`${at} start in should be a duration, because the job is delayed`] : []),
    ...(has('start_in') && valueAt(job, 'when') !== 'delayed' && !has('rules')
      ? [`${at} start in must be blank, unless the job is delayed`]
      : []),
    ...(has('start_in')
      ? []
      : findDelayedRules(valueAt(job, 'rules')).map(n => `${at}:rules[${n}] start in should be a duration, because the job is delayed`))
  ]
}

/** The numbers of the rules that delay a job and do not say for how long. */
function findDelayedRules(rules: unknown) {
  const lists = Array.isArray(rules) ? rules.flat(10) : []

  return lists.flatMap((rule, index) => (valueAt(rule, 'when') === 'delayed' && valueAt(rule, 'start_in') == null ? [index + 1] : []))
}

function isEmpty(script: unknown) {
  return [script].flat(10).every(line => typeof line === 'string' && line.trim() === '')
}
