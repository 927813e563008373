import { hashSecret, newHexSecret } from '../../identity/secrets.ts'
import type { Grant } from '../grants/grant.ts'
import type { TokenRequest } from '../grants/token-request.ts'
import { OAuthToken } from './oauth-token.ts'
import type { TokenResponse } from './token-response.ts'

const accessTokenSeconds = 7200

interface Options {
  /** Fewer than those of the grant (RFC 6749 §6). */
  scopes?: string[]
  withRefreshToken?: boolean
}

/** RFC 6749 §5.1: adds a pair of tokens to a grant, in the transaction of the exchange. They are available only now. */
export function issueTokens({ em, at }: TokenRequest, grant: Grant, options: Options = {}): TokenResponse {
  const { scopes = grant.scopes, withRefreshToken } = options
  const accessToken = newHexSecret()
  const refreshToken = withRefreshToken ? newHexSecret() : undefined

  em.create(OAuthToken, {
    grant,
    accessHash: hashSecret(accessToken),
    refreshHash: refreshToken === undefined ? null : hashSecret(refreshToken),
    scopes,
    createdAt: at,
    expiresAt: new Date(at.getTime() + accessTokenSeconds * 1000)
  })

  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    ...(refreshToken && { refresh_token: refreshToken }),
    scope: scopes.join(' '),
    created_at: Math.floor(at.getTime() / 1000)
  }
}
