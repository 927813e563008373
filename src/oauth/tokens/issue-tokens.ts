import { hashSecret, newHexSecret } from '#identity/secrets.ts'
import type { Tables } from '#platform/database/database.ts'
import type { TokenRequest } from '../grants/token-request.ts'
import { accessTokenSeconds } from './oauth-token.ts'
import type { TokenResponse } from './token-response.ts'

interface Options {
  /** Fewer than those of the grant (RFC 6749 §6). */
  scopes?: string[]
  withRefreshToken?: boolean
}

/** RFC 6749 §5.1: adds a pair of tokens to a grant, in the transaction of the exchange. They are available only now. */
export async function issueTokens(
  { em, at }: TokenRequest,
  grant: { id: number; scopes: string[] },
  { scopes = grant.scopes, withRefreshToken }: Options = {}
): Promise<TokenResponse> {
  const accessToken = newHexSecret()
  const refreshToken = withRefreshToken ? newHexSecret() : undefined

  await em
    .getKysely<Tables>()
    .insertInto('oauth_tokens')
    .values({
      grant_id: grant.id,
      access_hash: hashSecret(accessToken),
      refresh_hash: refreshToken === undefined ? null : hashSecret(refreshToken),
      scopes,
      created_at: at,
      expires_at: new Date(at.getTime() + accessTokenSeconds * 1000)
    })
    .execute()

  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    ...(refreshToken && { refresh_token: refreshToken }),
    scope: scopes.join(' '),
    created_at: Math.floor(at.getTime() / 1000)
  }
}
