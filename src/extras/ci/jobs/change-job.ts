import type { Actor } from '#audit/record-audit-event.ts'
import { Forbidden, NotFound, Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import { changeJobs } from '../pipelines/process-pipeline.ts'
import { Job } from './job.ts'

/** Cancels a job. Canceling one that has ended changes nothing. */
export function cancelJob(em: EntityManager, job: Job, by: Actor, at: Date) {
  return change(em, job, { by, at }, job => {
    if (!job.isComplete()) job.finish('canceled', at)

    return job
  })
}

/** Runs a job again, as a new job. Jobs that were skipped because of it get another chance. */
export function retryJob(em: EntityManager, job: Job, by: Actor, at: Date) {
  return change(em, job, { by, at }, (job, jobs, em) => {
    if (!job.isComplete() || job.status === 'skipped' || job.isRetried) throw new Forbidden('Job is not retryable')
    reopenSkipped(jobs)

    return retry(em, job, by.user!.id, at)
  })
}

/** The new job starts at once. */
export function retry(em: EntityManager, job: Job, userId: number | undefined, at: Date) {
  const again = copyJob(em, job, userId)

  job.isRetried = true
  again.enqueue(at)

  return again
}

interface Play {
  by: Actor
  /** Encrypted. */
  givenVariables?: Buffer | null
}

/** Starts a manual job, or a delayed one before its time. */
export function playJob(em: EntityManager, job: Job, { by, givenVariables }: Play, at: Date) {
  return change(em, job, { by, at }, (job, jobs) => {
    if (job.status !== 'manual' && job.status !== 'scheduled') throw new Rejected('Unplayable Job')
    job.user = by.user!.id as never
    if (givenVariables) job.givenVariables = givenVariables
    job.enqueue(at)
    reopenSkipped(jobs)

    return job
  })
}

export function reopenSkipped(jobs: Job[]) {
  for (const job of jobs) if (job.status === 'skipped' && !job.isRetried) job.status = 'created'
}

interface Change {
  by: Actor
  at: Date
}

function change(em: EntityManager, { id, pipeline }: Job, { by, at }: Change, decide: (job: Job, jobs: Job[], em: EntityManager) => Job) {
  const changeOne = (jobs: Job[], _pipeline: Pipeline, em: EntityManager) => {
    const job = jobs.find(job => job.id === id)

    if (!job) throw new NotFound()

    return decide(job, jobs, em)
  }

  return changeJobs(em, pipeline.id, at, changeOne, by)
}

/** The same job, not yet started. */
function copyJob(em: EntityManager, job: Job, userId: number | undefined) {
  const { projectId, pipeline, name, base, stage, stageIndex, startWhen, allowFailure } = job
  const { needs, keywords, variables, givenVariables, tags, timeoutSeconds } = job
  const user = userId ?? job.user?.id ?? null

  return em.create(Job, {
    projectId,
    pipeline,
    user,
    name,
    base,
    stage,
    stageIndex,
    startWhen,
    allowFailure,
    needs: needs ?? null,
    keywords,
    variables,
    givenVariables,
    tags,
    timeoutSeconds
  })
}
