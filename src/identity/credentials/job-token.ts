import { Unauthenticated } from '#lib/refusals.ts'
import { hashSecret } from '../secrets.ts'
import { JobToken } from '../tokens/job-token.ts'
import { type AuthStrategy, readHeader, readQuery } from './auth-strategy.ts'

/** The token of a running CI job. Only routes that opt in accept it; the others answer as to an invalid token. */
export const jobTokenStrategy: AuthStrategy = {
  read: request => readHeader(request, 'job-token') ?? readQuery(request, 'job_token'),
  async authenticate(em, secret, { routeOptions }) {
    if (!routeOptions.config.allowsJobToken) throw new Unauthenticated()
    const valid = { tokenHash: hashSecret(secret), expiresAt: { $gt: new Date() }, endedAt: null }
    const token = await em.findOne(JobToken, valid, { populate: ['user'] })

    if (!token) throw new Unauthenticated()

    return { user: token.user, scopes: 'all', by: { kind: 'job', projectId: token.projectId, jobId: token.jobId } }
  }
}
