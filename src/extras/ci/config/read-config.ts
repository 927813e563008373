import { findIgnored, findUnsupported } from '../keywords/unsupported.ts'
import { checkConfig } from './check-config.ts'
import { checkOrder } from './check-order.ts'
import type { ConfigFiles } from './config-files.ts'
import type { Variables } from './evaluate-expression.ts'
import { expand } from './expand.ts'
import { expandExtends } from './expand-extends.ts'
import { expandIncludes } from './expand-includes.ts'
import { InvalidConfig } from './invalid-config.ts'
import type { CiConfig, JobConfig } from './job.ts'
import { type Mapping, valueAt } from './mapping.ts'
import { readJobs, readVariables } from './read-jobs.ts'
import { resolveReferences } from './reference.ts'

const nothing = { warnings: [], merged: undefined, included: [], stages: [], variables: {}, workflow: {}, jobs: [] }
const maxErrors = 100

/** Reads a configuration whole: includes, extends, references, then every keyword. Invalid ones are a result, not an exception. */
export async function readConfig(content: string, files: ConfigFiles, variables: Variables = new Map()): Promise<CiConfig> {
  if (content.trim() === '') return { ...nothing, errors: ['Please provide content of .gitlab-ci.yml'] }

  try {
    const { config, included } = await expandIncludes(content, files, variables)
    const merged = resolveReferences(expandExtends(expand(config) as Mapping)) as Mapping

    return { ...readMerged(merged), included }
  } catch (error) {
    if (error instanceof InvalidConfig) return { ...nothing, errors: error.messages }
    throw error
  }
}

function readMerged(merged: Mapping): CiConfig {
  const errors = checkConfig(merged)

  if (errors.length > 0) return { ...nothing, merged, errors: errors.slice(0, maxErrors) }
  const jobs = readJobs(merged)
  const stages = stagesOf(merged)
  const workflow = (valueAt(merged, 'workflow') ?? {}) as Mapping

  return {
    errors: checkOrder(jobs, stages).slice(0, maxErrors),
    warnings: findWarnings(jobs, workflow),
    merged,
    included: [],
    stages,
    variables: readVariables(valueAt(merged, 'variables')),
    workflow,
    jobs
  }
}

/** `.pre` and `.post` are always the first and the last. */
function stagesOf(config: Mapping) {
  const given = [valueAt(config, 'stages') ?? valueAt(config, 'types') ?? ['build', 'test', 'deploy']].flat() as string[]
  const stages = given.filter(stage => stage !== '.pre' && stage !== '.post')

  return ['.pre', ...new Set(stages), '.post']
}

/** What works, but probably not as meant. */
function findWarnings(jobs: JobConfig[], workflow: unknown) {
  const hasWorkflowRules = valueAt(workflow, 'rules') != null

  return jobs.flatMap(job => {
    const rules = valueAt(job.keywords, 'rules')
    const last = Array.isArray(rules) ? rules.flat(10).at(-1) : undefined
    const runsOtherwise =
      last !== undefined && valueAt(last, 'if') === undefined && !['never', undefined].includes(valueAt(last, 'when') as string)

    return [
      ...findUnsupported(job.name, job.keywords),
      ...findIgnored(job.name, job.keywords),
      ...(runsOtherwise && !hasWorkflowRules
        ? [
            `jobs:${job.name} may allow multiple pipelines to run for a single action due to \`rules:when\` clause with no \`workflow:rules\``
          ]
        : [])
    ]
  })
}
