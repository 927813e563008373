import type { EntityManager } from '#platform/database/database.ts'
import { requireClient } from '../authenticate-client.ts'
import { InvalidGrant, MissingParameter } from '../errors.ts'
import { checkNarrowedScopes } from '../requested-scopes.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { lockRefreshToken, useRefreshToken } from '../tokens/refresh-token.ts'
import { commitRefusal } from './commit-refusal.ts'
import { revokeGrant } from './revoke-grant.ts'
import type { Exchange, TokenRequest } from './token-request.ts'

/** RFC 6749 §6: exchanges a refresh token for a new pair; both old tokens end. The access token may have expired. */
export async function exchangeRefreshToken(request: TokenRequest): Promise<Exchange> {
  const { params, config, at } = request
  const client = await requireClient(request.em, request)

  if (!params.refresh_token) throw new MissingParameter('refresh_token')

  return commitRefusal(request.em, async em => {
    const token = await lockRefreshToken(em, params.refresh_token!)

    if (!token) throw new InvalidGrant()
    const { grant } = token

    if (grant.applicationId !== client.id || grant.revokedAt || !grant.user.isActive()) throw new InvalidGrant()
    if (params.redirect_uri && params.redirect_uri !== grant.redirectUri) throw new InvalidGrant()
    const scopes = checkNarrowedScopes(grant, params.scope).filter(scope => client.scopes.includes(scope))

    // The owner may have removed scopes of the application since.
    if (scopes.length === 0) throw new InvalidGrant()
    if (!(await useRefreshToken(em, token, at, config.refreshReuseSeconds))) return refuseReplay(em, request, grant)

    return {
      grant: { ...grant, application: client },
      response: await issueTokens({ ...request, em }, grant, { scopes, withRefreshToken: true })
    }
  })
}

/** RFC 9700 §4.14.2: a refresh token that is used again has leaked, and its holder is unknown: the whole family is revoked. */
async function refuseReplay(em: EntityManager, { actor, at }: TokenRequest, grant: { id: number }) {
  await revokeGrant(em, actor, grant.id, at, { reason: 'a refresh token was used again' })

  return new InvalidGrant()
}
