import { valueAt } from '../config/mapping.ts'
import type { Job } from '../jobs/job.ts'
import { parseDuration } from '../keywords/duration.ts'

type Outcome = 'waiting' | 'success' | 'failed' | 'skipped'

/** Enqueues, schedules or skips every job whose turn has come. `jobs` are those of one pipeline, without retried ones. */
export function advanceJobs(jobs: Job[], at: Date) {
  const needed = jobsByName(jobs)
  let stage: { index: number; outcome: Outcome } | undefined

  for (const job of inOrder(jobs, needed)) if (job.status === 'created') advance(job, outcomeFor(job), at)

  /** How the jobs ended that a job waits for. */
  function outcomeFor({ needs, stageIndex }: Job) {
    if (needs) return outcomeOfNeeds(neededBy(needs, needed))
    if (stage?.index !== stageIndex)
      stage = { index: stageIndex, outcome: outcomeOfStages(jobs.filter(job => job.stageIndex < stageIndex)) }

    return stage.outcome
  }
}

/** Each job after those that it waits for: a single pass is enough. */
function inOrder(jobs: Job[], needed: Map<string, Job[]>) {
  const ordered = new Set<Job>()
  const started = new Set<Job>()

  for (const job of jobs.toSorted((a, b) => a.stageIndex - b.stageIndex)) visit(job)

  return ordered

  function visit(job: Job) {
    if (started.has(job)) return
    started.add(job)
    for (const other of neededBy(job.needs ?? [], needed)) visit(other)
    ordered.add(job)
  }
}

/** Jobs that run in parallel are found by their own name and by the one that they share. */
function jobsByName(jobs: Job[]) {
  const byName = new Map<string, Job[]>()

  for (const job of jobs) {
    for (const name of new Set([job.base, job.name])) byName.set(name, [...(byName.get(name) ?? []), job])
  }

  return byName
}

function neededBy(needs: NonNullable<Job['needs']>, needed: Map<string, Job[]>) {
  return needs.flatMap(({ job }) => needed.get(job) ?? [])
}

function advance(job: Job, outcome: Outcome, at: Date) {
  if (outcome === 'waiting') return
  if (!isWanted(job, outcome)) job.finish('skipped', at)
  else if (job.startWhen === 'manual') job.status = 'manual'
  else if (job.startWhen === 'delayed') job.schedule(parseDuration(valueAt(job.keywords, 'start_in')) ?? 0, at)
  else job.enqueue(at)
}

/** A job whose needs were skipped is skipped, too; a stage that was skipped holds up nothing. */
function isWanted({ startWhen, needs }: Job, outcome: Outcome) {
  if (startWhen === 'always') return true
  if (startWhen === 'on_failure') return outcome === 'failed'

  return outcome === 'success' || (outcome === 'skipped' && !needs)
}

function outcomeOfNeeds(before: Job[]) {
  return outcomeOf(before, before.some(isSkipped))
}

function outcomeOfStages(before: Job[]) {
  return outcomeOf(before, before.length > 0 && before.every(isSkipped))
}

function outcomeOf(before: Job[], isSkipped: boolean): Outcome {
  if (!before.every(isOver)) return 'waiting'
  if (before.some(job => job.isFailure())) return 'failed'

  return isSkipped ? 'skipped' : 'success'
}

function isSkipped({ status }: Job) {
  return status === 'skipped' || status === 'manual'
}

/** A manual job that may fail holds up nothing. */
function isOver(job: Job) {
  return job.isComplete() || (job.status === 'manual' && job.allowFailure)
}
