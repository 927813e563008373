import type { EntityManager } from '#platform/database/database.ts'
import { Job } from './job.ts'

/** The same job, not yet started. */
export function copyJob(em: EntityManager, job: Job, userId: number | undefined) {
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
