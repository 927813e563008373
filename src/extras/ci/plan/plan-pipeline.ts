import { instancesOf } from '../config/instances.ts'
import { InvalidConfig } from '../config/invalid-config.ts'
import type { CiConfig, JobConfig, When } from '../config/job.ts'
import { type Mapping, valueAt } from '../config/mapping.ts'
import { readAllowFailure, readNeeds, readVariables } from '../config/read-jobs.ts'
import { maxNameLength } from '../keywords/root-keywords.ts'
import { findUnsupported } from '../keywords/unsupported.ts'
import { expandVariables } from '../variables/expand-variables.ts'
import { type PlanContext, withVariables } from './context.ts'
import { isSelected } from './evaluate-only.ts'
import { findRule } from './evaluate-rules.ts'
import type { PlannedJob } from './planned-job.ts'

const maxJobs = 2000
const maxErrors = 100

export interface Plan {
  name: string | null
  jobs: PlannedJob[]
}

/** The jobs of a pipeline, once the rules are evaluated. Throws `InvalidConfig` when there would be no pipeline. */
export async function planPipeline(config: CiConfig, given: PlanContext): Promise<Plan> {
  const ofWorkflow = await workflowVariables(config, given)
  const context = withVariables(given, { ...config.variables, ...ofWorkflow, ...Object.fromEntries(given.variables) })
  const planned: PlannedJob[] = []
  const unsupported: string[] = []

  for (const job of config.jobs) {
    const selected = await select(inherit(job, ofWorkflow), context)

    if (!selected) continue
    unsupported.push(...findUnsupported(selected.name, selected.keywords))
    planned.push(...expandParallel(selected))
    if (planned.length > maxJobs) throw new InvalidConfig(`The pipeline would have more than ${maxJobs} jobs`)
  }
  if (unsupported.length > 0) throw new InvalidConfig(...unsupported.slice(0, maxErrors))
  if (planned.length === 0)
    throw new InvalidConfig('The resulting pipeline would have been empty. Review the `rules` configuration for the relevant jobs.')
  checkNeeds(planned)

  return { name: nameOf(config, context), jobs: planned }
}

/** `workflow:name`, with its variables expanded. */
function nameOf({ workflow }: CiConfig, { variables }: PlanContext) {
  const name = expandVariables(String(valueAt(workflow, 'name') ?? ''), variables).trim()

  if (name.length > maxNameLength)
    throw new InvalidConfig(`workflow:name is longer than ${maxNameLength} characters when its variables are expanded`)

  return name || null
}

async function workflowVariables({ workflow, variables }: CiConfig, context: PlanContext) {
  const rules = valueAt(workflow, 'rules')

  if (rules == null) return {}
  const rule = await findRule(rules, withVariables(context, { ...variables, ...Object.fromEntries(context.variables) }))

  if (!rule || valueAt(rule, 'when') === 'never') throw new InvalidConfig('Pipeline filtered out by workflow rules.')

  return readVariables(valueAt(rule, 'variables'))
}

/** A job's own variables win. */
function inherit(job: JobConfig, variables: Mapping): JobConfig {
  const inherits = valueAt(valueAt(job.keywords, 'inherit'), 'variables') ?? true
  const ownVariables = readVariables(valueAt(job.keywords, 'variables'))
  const inherited = Object.entries(variables).filter(([key]) => inherits === true || (Array.isArray(inherits) && inherits.includes(key)))

  return { ...job, variables: { ...job.variables, ...Object.fromEntries(inherited), ...ownVariables } }
}

async function select(job: JobConfig, context: PlanContext): Promise<PlannedJob | undefined> {
  const scope = withVariables(context, { ...job.variables, ...Object.fromEntries(context.variables) })
  const rules = valueAt(job.keywords, 'rules')

  if (rules == null)
    return isSelected(valueAt(job.keywords, 'only'), valueAt(job.keywords, 'except'), scope) && job.when !== 'never'
      ? planned(job)
      : undefined
  const rule = await findRule(rules, scope)
  const when = (valueAt(rule, 'when') ?? job.when) as When

  if (!rule || when === 'never') return undefined

  return {
    ...planned(job),
    when,
    allowFailure: readAllowFailure(valueAt(rule, 'allow_failure') ?? valueAt(job.keywords, 'allow_failure'), false),
    variables: { ...job.variables, ...readVariables(valueAt(rule, 'variables')) },
    needs: readNeeds(valueAt(rule, 'needs')) ?? job.needs,
    startIn: (valueAt(rule, 'start_in') ?? valueAt(job.keywords, 'start_in')) as string | undefined
  }
}

function planned(job: JobConfig): PlannedJob {
  return { ...job, base: job.name, startIn: valueAt(job.keywords, 'start_in') as string | undefined }
}

/** A rule may have left out what another job needs. */
function checkNeeds(jobs: PlannedJob[]) {
  const names = new Set(jobs.flatMap(job => [job.base, job.name]))

  for (const { name, needs = [] } of jobs) {
    const missing = needs.find(need => !need.optional && !names.has(need.job))

    if (missing) {
      throw new InvalidConfig(
        `'${name}' job needs '${missing.job}' job, but '${missing.job}' does not exist in the pipeline. This might be because of the only, except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.`
      )
    }
  }
}

/** A job that runs several times becomes as many jobs. */
function expandParallel(job: PlannedJob): PlannedJob[] {
  const instances = instancesOf(job.name, valueAt(job.keywords, 'parallel'))

  return instances?.map(({ name, variables }) => ({ ...job, name, variables: { ...job.variables, ...variables } })) ?? [job]
}
