import type { Config } from '#config.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { deleteArtifacts } from '../artifacts/change-artifacts.ts'
import { Job } from '../jobs/job.ts'
import { deleteTrace } from './trace-store.ts'

/** Deletes what a job left. The job itself stays. */
export async function eraseJob(em: EntityManager, config: Config, { id }: Job, at: Date) {
  const erased = await em.transactional(async em => {
    const job = await em.findOneOrFail(Job, { id })

    if (!job.isComplete() || job.erasedAt) throw new Forbidden('Job is not erasable!')
    await deleteTrace(em, id)
    job.erasedAt = at

    return job
  })

  await deleteArtifacts(em, config, erased)

  return erased
}
