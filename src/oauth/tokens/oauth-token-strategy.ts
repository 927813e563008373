import { type AuthStrategy, readAccessToken, readBearer, readQuery } from '#identity/credentials/auth-strategy.ts'
import { isHexSecret } from '#identity/secrets.ts'
import { recordLastActivity } from '#identity/users/last-activity.ts'
import { toViewer } from '#identity/viewer.ts'
import { InvalidToken } from '#lib/refusals.ts'
import { findTokenAndUser, type TokenRow } from './oauth-token-store.ts'

/** OAuth access tokens (RFC 6750 §2), in the header or the query. No other token has their form. */
export const oauthTokenStrategy: AuthStrategy = {
  read(request) {
    const token = readAccessToken(request)
    const isOurs = token !== undefined && isHexSecret(token) && [readBearer(request), readQuery(request, 'access_token')].includes(token)

    return isOurs ? token : undefined
  },
  async authenticate(em, secret) {
    const { token, user } = await findTokenAndUser(em, secret)
    const now = new Date()

    checkUsable(token, now)
    // An application with client credentials acts for no user: it sees what anonymous callers see.
    if (!user) return undefined
    const viewer = toViewer(user)

    await recordLastActivity(em, viewer, now)

    return { user: viewer, scopes: token.scopes, by: { kind: 'oauth', id: token.id, applicationId: token.application_id } }
  }
}

function checkUsable({ expires_at, is_revoked }: TokenRow, now: Date) {
  if (is_revoked) throw new InvalidToken('Token was revoked. You have to re-authorize from the user.')
  if (new Date(expires_at) <= now) throw new InvalidToken('Token is expired. You can either do re-authorization or token refresh.')
}
