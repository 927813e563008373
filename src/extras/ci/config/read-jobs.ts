import { defaultKeywords } from '../keywords/job-keywords.ts'
import { rootKeywords } from '../keywords/root-keywords.ts'
import { instancesOf } from './instances.ts'
import type { JobConfig, Need, When } from './job.ts'
import { fromEntries, isMapping, type Mapping, valueAt } from './mapping.ts'

/** The jobs of a valid configuration, each with what it inherits from `default` and the global keywords. */
export function readJobs(config: Mapping): JobConfig[] {
  return visibleJobs(config).map(([name, job]) => readJob(name, inherit(config, job), config))
}

/** Names that begin with a dot are templates. */
export function visibleJobs(config: Mapping) {
  return Object.entries(config).filter(([name]) => !Object.hasOwn(rootKeywords, name) && !name.startsWith('.')) as [string, Mapping][]
}

function inherit(config: Mapping, job: Mapping) {
  const inherited = valueAt(valueAt(job, 'inherit'), 'default')
  const defaults = Object.keys(defaultKeywords)
    .filter(key => inherited !== false && (!Array.isArray(inherited) || inherited.includes(key)))
    .map(key => [key, valueAt(valueAt(config, 'default'), key) ?? valueAt(config, key)] as const)
    .filter(([, value]) => value !== undefined)

  return fromEntries([...defaults, ...Object.entries(job)])
}

function readJob(name: string, keywords: Mapping, config: Mapping): JobConfig {
  const when = (valueAt(keywords, 'when') ?? 'on_success') as When

  return {
    name,
    stage: (valueAt(keywords, 'stage') as string | undefined) ?? 'test',
    when,
    allowFailure: readAllowFailure(valueAt(keywords, 'allow_failure'), when === 'manual' && valueAt(keywords, 'rules') === undefined),
    needs: readNeeds(valueAt(keywords, 'needs')),
    variables: { ...inheritVariables(config, keywords), ...readVariables(valueAt(keywords, 'variables')) },
    keywords
  }
}

/** Pipelines do not wait for manual jobs, unless the job says so. */
export function readAllowFailure(given: unknown, byDefault: boolean) {
  return isMapping(given) || (typeof given === 'boolean' ? given : byDefault)
}

/** Needs of other projects and pipelines never block. */
export function readNeeds(given: unknown): Need[] | undefined {
  if (given === undefined || given === null) return undefined

  return [given].flat().flatMap(need => {
    const isElsewhere = valueAt(need, 'project') !== undefined || valueAt(need, 'pipeline') !== undefined
    const option = { artifacts: valueAt(need, 'artifacts') !== false, optional: valueAt(need, 'optional') === true }

    return isElsewhere ? [] : neededNames(need).map(job => ({ job, ...option }))
  })
}

/** `needs:parallel:matrix` chooses jobs of a matrix. */
function neededNames(need: unknown) {
  const job = typeof need === 'string' ? need : valueAt(need, 'job')

  if (typeof job !== 'string') return []

  return instancesOf(job, valueAt(need, 'parallel'))?.map(({ name }) => name) ?? [job]
}

/** The values of `variables`; the long form has a description too. */
export function readVariables(given: unknown) {
  const entries = isMapping(given) ? Object.entries(given) : []

  return fromEntries(entries.map(([key, value]) => [key, String((isMapping(value) ? valueAt(value, 'value') : value) ?? '')] as const))
}

function inheritVariables(config: Mapping, job: Mapping) {
  const inherited = valueAt(valueAt(job, 'inherit'), 'variables')
  const variables = Object.entries(readVariables(valueAt(config, 'variables')))

  return fromEntries(variables.filter(([key]) => inherited !== false && (!Array.isArray(inherited) || inherited.includes(key))))
}
