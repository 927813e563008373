import type { EntityManager } from '#platform/database/database.ts'
import { isMapping, valueAt } from '../config/mapping.ts'
import { retry } from '../jobs/change-job.ts'
import type { Ending, Job } from '../jobs/job.ts'
import { changeJobs } from '../pipelines/process-pipeline.ts'
import { NotRunning } from './running-job.ts'

/** Ends a job as its runner says. A failed one is retried as often as its keyword `retry` says. */
export function endJob(em: EntityManager, { id, pipeline }: Job, ending: Ending, at: Date) {
  return changeJobs(em, pipeline.id, at, (jobs, _pipeline, em) => {
    const job = jobs.find(job => job.id === id)

    if (job?.status !== 'running') throw new NotRunning(job?.status ?? 'canceled')
    job.end(ending, at)
    if (ending.status === 'failed' && wantsRetry(job, jobs)) retry(em, job, undefined, at)
  })
}

function wantsRetry(job: Job, jobs: Job[]) {
  const given = valueAt(job.keywords, 'retry')
  const max = isMapping(given) ? Number(valueAt(given, 'max') ?? 0) : Number(given ?? 0)
  const before = jobs.filter(({ name, isRetried }) => name === job.name && isRetried).length

  return before < max && isReason(job, given)
}

/** `retry:when` and `retry:exit_codes` name the failures that count. Without them, all do. */
function isReason({ failureReason, exitCode }: Job, given: unknown) {
  const reasons: unknown[] = [valueAt(given, 'when') ?? []].flat()
  const codes: unknown[] = [valueAt(given, 'exit_codes') ?? []].flat()

  if (reasons.length === 0 && codes.length === 0) return true

  return reasons.includes('always') || reasons.includes(failureReason) || codes.includes(exitCode)
}
