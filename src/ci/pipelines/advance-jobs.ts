import type { Job } from '../jobs/job.ts'
import { parseDuration } from '../keywords/duration.ts'
import { valueAt } from '../yaml/mapping.ts'

type Outcome = 'waiting' | 'success' | 'failed' | 'skipped'

/** Enqueues, schedules or skips every job whose turn has come. `jobs` are those of one pipeline, without retried ones. */
export function advanceJobs(jobs: Job[], at: Date) {
  for (let hasChanged = true; hasChanged; ) {
    const open = jobs.filter(({ status }) => status === 'created')

    hasChanged = open.map(job => advance(job, outcomeFor(job, jobs), at)).some(Boolean)
  }
}

function advance(job: Job, outcome: Outcome, at: Date) {
  if (outcome === 'waiting') return false
  if (!isWanted(job, outcome)) job.finish('skipped', at)
  else if (job.startWhen === 'manual') job.status = 'manual'
  else if (job.startWhen === 'delayed') job.schedule(parseDuration(valueAt(job.keywords, 'start_in')) ?? 0, at)
  else job.enqueue(at)

  return true
}

/** A job whose needs were skipped is skipped, too; a stage that was skipped holds up nothing. */
function isWanted({ startWhen, needs }: Job, outcome: Outcome) {
  if (startWhen === 'always') return true
  if (startWhen === 'on_failure') return outcome === 'failed'

  return outcome === 'success' || (outcome === 'skipped' && !needs)
}

/** How the jobs ended that a job waits for. */
function outcomeFor(job: Job, jobs: Job[]): Outcome {
  const { needs } = job
  const before = needs
    ? jobs.filter(other => needs.some(need => need.job === other.base || need.job === other.name))
    : jobs.filter(other => other.stageIndex < job.stageIndex)
  const isSkipped = (other: Job) => other.status === 'skipped' || other.status === 'manual'

  if (!before.every(isOver)) return 'waiting'
  if (before.some(other => other.isFailure())) return 'failed'
  if (before.length > 0 && (needs ? before.some(isSkipped) : before.every(isSkipped))) return 'skipped'

  return 'success'
}

/** A manual job that may fail holds up nothing. */
function isOver(job: Job) {
  return job.isComplete() || (job.status === 'manual' && job.allowFailure)
}
