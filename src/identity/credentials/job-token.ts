import { Unauthorized } from '../../http/problems/problems.ts'
import { hashSecret } from '../secrets.ts'
import { JobToken } from '../tokens/job-token.ts'
import { type CredentialKind, readHeader, readQuery } from './credential.ts'

/** The token that a job has while it runs: only for routes that say so, and the same no for one that is wrong. */
export const jobToken: CredentialKind = {
  read: request => readHeader(request, 'job-token') ?? readQuery(request, 'job_token'),
  async identify(em, secret, { routeOptions }) {
    if (!routeOptions.config.allowsJobToken) throw new Unauthorized()
    const token = await em.findOne(JobToken, { tokenHash: hashSecret(secret), expiresAt: { $gt: new Date() } }, { populate: ['user'] })

    if (!token) throw new Unauthorized()

    return { user: token.user, scopes: 'all', by: { kind: 'job', projectId: token.projectId } }
  }
}
