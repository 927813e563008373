import { lockForChange, type Precondition } from '#api/conditional-requests.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { reopenSkipped, retry } from '../jobs/change-job.ts'
import { Pipeline } from './pipeline.ts'
import { changeJobs } from './process-pipeline.ts'

export function cancelPipeline(em: EntityManager, { id }: Pipeline, at: Date) {
  return changeJobs(em, id, at, (jobs, pipeline) => {
    for (const job of jobs) if (!job.isComplete()) job.finish('canceled', at)

    return pipeline
  })
}

/** Runs the jobs again that failed or were canceled, and what was skipped because of them. */
export function retryPipeline(em: EntityManager, { id }: Pipeline, userId: number, at: Date) {
  return changeJobs(em, id, at, (jobs, pipeline, em) => {
    for (const job of jobs) if (!job.isRetried && ['failed', 'canceled'].includes(job.status)) retry(em, job, userId, at)
    reopenSkipped(jobs)

    return pipeline
  })
}

/** With its jobs. */
export function deletePipeline(em: EntityManager, { id }: Pipeline, precondition: Precondition) {
  return em.transactional(async em => {
    const pipeline = em.getReference(Pipeline, id)

    await lockForChange(em, pipeline, precondition)
    em.remove(pipeline)
  })
}
