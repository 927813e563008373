import { LockMode } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { endTokens } from '../execution/job-store.ts'
import { Job } from '../jobs/job.ts'
import { StatusEvents } from '../status-events.ts'
import { advanceJobs } from './advance-jobs.ts'
import { Pipeline } from './pipeline.ts'
import { statusOfJobs } from './status-of-jobs.ts'

/**
 * Changes jobs of a pipeline under its lock, then starts what can start now. Everything that changes a job goes through here, so the
 * status of a pipeline always matches its jobs, and webhooks receive each. Runners and schedules act for nobody.
 */
export function changeJobs<Result>(
  em: EntityManager,
  pipelineId: number,
  at: Date,
  change: (jobs: Job[], pipeline: Pipeline, em: EntityManager) => Result | Promise<Result>,
  by: Pick<Actor, 'chain'> = {}
) {
  return em.transactional(async em => {
    const pipeline = await em.findOneOrFail(Pipeline, { id: pipelineId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    const before = await findJobs(em, pipelineId)
    const events = new StatusEvents(em, by, [pipeline, ...before])
    const result = await change(before, pipeline, em)

    await em.flush()
    const jobs = await findJobs(em, pipelineId)

    await events.add(jobs)
    await endTokens(em, pipelineId, at)
    advance(
      pipeline,
      jobs.filter(({ isRetried }) => !isRetried),
      at
    )
    await events.add([pipeline, ...jobs])

    return result
  })
}

function findJobs(em: EntityManager, pipelineId: number) {
  return em.find(Job, { pipeline: pipelineId }, { orderBy: { id: 'asc' } })
}

export function advance(pipeline: Pipeline, jobs: Job[], at: Date) {
  advanceJobs(jobs, at)
  pipeline.enter(statusOfJobs(jobs), at)
  pipeline.startedAt ??= jobs.find(({ startedAt }) => startedAt)?.startedAt ?? null
}
