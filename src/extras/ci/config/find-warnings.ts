import { findIgnored, findUnsupported } from '../keywords/unsupported.ts'
import type { JobConfig } from './job.ts'
import { valueAt } from './mapping.ts'

/** What works, but probably not as meant. */
export function findWarnings(jobs: JobConfig[], workflow: unknown) {
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
