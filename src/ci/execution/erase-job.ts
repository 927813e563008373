import { Forbidden } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Job } from '../jobs/job.ts'
import { deleteTrace } from './trace/trace-store.ts'

/** Deletes what a job left. The job itself stays. */
export function eraseJob(em: EntityManager, { id }: Job, at: Date) {
  return em.transactional(async em => {
    const job = await em.findOneOrFail(Job, { id })

    if (!job.isComplete() || job.erasedAt) throw new Forbidden('Job is not erasable!')
    await deleteTrace(em, id)
    job.erasedAt = at

    return job
  })
}
