import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Forbidden } from '../../http/problems/problems.ts'
import { hashSecret } from '../../identity/secrets.ts'
import { JobToken } from '../../identity/tokens/job-token.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Job } from '../jobs/job.ts'

/** The job that a runner reports on, by the job's token: in the body, or in a header. */
export async function findReported(em: EntityManager, request: FastifyRequest, id: number, given?: string) {
  const header = request.headers['job-token']
  const secret = given ?? (typeof header === 'string' ? header : '')
  const token = await em.findOne(JobToken, { jobId: id })

  if (!token || !timingSafeEqual(token.tokenHash, hashSecret(secret))) throw new Forbidden()

  return em.findOneOrFail(Job, { id })
}

/** The job has ended, by cancellation for example. Its runner stops. */
export class NotRunning extends Forbidden {
  constructor(status: string) {
    super('Job is not running')
    this.headers['job-status'] = status
  }
}
