import type { FastifyRequest } from 'fastify'
import { InvalidToken } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { AccessToken } from '../tokens/access-token.ts'
import { revokeFamily } from '../tokens/revoke-token.ts'
import { recordLastActivity } from '../users/last-activity.ts'
import { findTokenAndUser, type TokenRow } from './access-token-store.ts'
import { type AuthStrategy, readAccessToken } from './auth-strategy.ts'

/** Personal, project, group and impersonation access tokens. */
export const accessTokenStrategy: AuthStrategy = {
  read: readAccessToken,
  async authenticate(em, secret, request) {
    const { token, user } = await findTokenAndUser(em, secret)
    const now = new Date()

    if (token.revoked_at && request.routeOptions.config.rotatesToken) {
      await revokeFamily(em, { user, ip: request.ip }, await em.findOneOrFail(AccessToken, { id: token.id }), now)
    }
    checkUsable(token, request, now)
    await touchToken(em, token, now)
    await recordLastActivity(em, user, now)

    return { user, scopes: token.scopes, by: { kind: 'token', id: token.id } }
  }
}

function checkUsable(token: TokenRow, request: FastifyRequest, now: Date) {
  if (token.expires_at && new Date(token.expires_at) <= now)
    throw new InvalidToken('Token is expired. You can either do re-authorization or token refresh.')
  if (token.revoked_at) throw new InvalidToken('Token was revoked. You have to re-authorize from the user.')
  if (token.kind === 'impersonation' && !request.server.platform.config.isImpersonationOn) {
    throw new InvalidToken('Token is an impersonation token but impersonation was disabled.')
  }
}

/** Written at most once a minute, so that reads do not become writes. */
async function touchToken(em: EntityManager, token: TokenRow, now: Date) {
  if (token.last_used_at && now.getTime() - Date.parse(token.last_used_at) < 60_000) return

  await em.nativeUpdate(AccessToken, { id: token.id }, { lastUsedAt: now })
}
