import type { Job, JobStatus } from '../jobs/job.ts'
import type { PipelineStatus } from './pipeline.ts'

/** The status of a pipeline follows from its jobs, without retried ones. */
export function statusOfJobs(jobs: Job[]): PipelineStatus {
  const statuses = new Set(jobs.map(countedStatus))
  const isOnly = (...allowed: JobStatus[]) => [...statuses].every(status => allowed.includes(status))

  if (isOnly('skipped')) return 'skipped'
  if (isOnly('success', 'skipped')) return 'success'
  if (isOnly('success', 'skipped', 'canceled')) return 'canceled'
  if (isOnly('created', 'skipped')) return 'created'
  if (isOnly('pending', 'created', 'skipped')) return 'pending'
  if (statuses.has('running') || statuses.has('pending')) return 'running'
  if (statuses.has('scheduled')) return 'scheduled'
  if (statuses.has('manual')) return 'manual'
  if (statuses.has('created')) return 'running'

  return 'failed'
}

/** Failures that are allowed are no failures, and manual jobs that nothing waits for do not count. */
function countedStatus({ status, allowFailure }: Job): JobStatus {
  if (!allowFailure) return status
  if (status === 'failed' || status === 'canceled') return 'success'

  return status === 'manual' ? 'skipped' : status
}
