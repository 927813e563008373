import type { FastifyRequest } from 'fastify'
import { hashSecret } from '#identity/secrets.ts'
import { JobToken } from '#identity/tokens/job-token.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Job } from '../jobs/job.ts'

/** The job that a runner reports on, by the job's token: in the body, or in a header. */
export async function findReported(request: FastifyRequest, id: number, given?: string) {
  const job = await findByToken(request.em, request, given)

  if (job.id !== id) throw new Forbidden()

  return job
}

/** The job of a job's token, also when it has ended. */
export async function findByToken(em: EntityManager, { headers }: FastifyRequest, given = headers['job-token']) {
  const token = typeof given === 'string' ? await em.findOne(JobToken, { tokenHash: hashSecret(given) }) : undefined

  if (!token) throw new Forbidden()

  return em.findOneOrFail(Job, { id: token.jobId })
}

/** The job has ended, by cancellation for example. Its runner stops. */
export class NotRunning extends Forbidden {
  override code = 'job_not_running'
  status: string

  constructor(status: string) {
    super('Job is not running')
    this.status = status
  }
}
