import type { FastifyRequest } from 'fastify'
import { Unauthorized } from '../../http/problems.ts'
import type { EntityManager } from '../../platform/database.ts'
import { AccessToken } from '../access-token.ts'
import { revokeFamily } from '../revoke-token.ts'
import { hashSecret } from '../secrets.ts'
import { type CredentialKind, readToken } from './credential.ts'
import { ImpersonationOff, TokenExpired, TokenRevoked } from './refusals.ts'

/** Personal, project, group and impersonation access tokens. */
export const accessToken: CredentialKind = {
  read: readToken,
  async identify(em, secret, request) {
    const token = await em.findOne(AccessToken, { tokenHash: hashSecret(secret) }, { populate: ['user'] })
    const now = new Date()

    if (!token) throw new Unauthorized()
    if (token.revokedAt && request.routeOptions.config.rotatesToken)
      await revokeFamily(em, token, { user: token.user, ip: request.ip }, now)
    refuseUseless(token, request, now)
    await markUsed(em, token, now)

    return { user: token.user, scopes: token.scopes, by: { kind: 'token', id: token.id } }
  }
}

function refuseUseless(token: AccessToken, request: FastifyRequest, now: Date) {
  if (token.isExpired(now)) throw new TokenExpired()
  if (token.revokedAt) throw new TokenRevoked()
  if (token.kind === 'impersonation' && !request.server.platform.config.isImpersonationOn) throw new ImpersonationOff()
}

/** Written at most once a minute: reading must not turn into writing. */
async function markUsed(em: EntityManager, token: AccessToken, now: Date) {
  if (token.lastUsedAt && now.getTime() - token.lastUsedAt.getTime() < 60_000) return

  await em.nativeUpdate(AccessToken, { id: token.id }, { lastUsedAt: now })
}
