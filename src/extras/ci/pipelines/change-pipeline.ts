import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { reopenSkipped, retry } from '../jobs/change-job.ts'
import type { Job } from '../jobs/job.ts'
import { Pipeline } from './pipeline.ts'
import { changeJobs } from './process-pipeline.ts'

export function cancelPipeline(em: EntityManager, { id }: Pipeline, by: Actor, at: Date) {
  const cancel = (jobs: Job[], pipeline: Pipeline) => {
    for (const job of jobs) if (!job.isComplete()) job.finish('canceled', at)

    return pipeline
  }

  return changeJobs(em, id, at, cancel, by)
}

/** Runs the jobs again that failed or were canceled, and what was skipped because of them. */
export function retryPipeline(em: EntityManager, { id }: Pipeline, by: Actor, at: Date) {
  const retryAll = (jobs: Job[], pipeline: Pipeline, em: EntityManager) => {
    for (const job of jobs) if (!job.isRetried && ['failed', 'canceled'].includes(job.status)) retry(em, job, by.user!.id, at)
    reopenSkipped(jobs)

    return pipeline
  }

  return changeJobs(em, id, at, retryAll, by)
}

/** With its jobs. */
export function deletePipeline(em: EntityManager, { id }: Pipeline) {
  return em.transactional(async em => {
    const pipeline = em.getReference(Pipeline, id)

    await lockForChange(em, pipeline)
    em.remove(pipeline)
  })
}
