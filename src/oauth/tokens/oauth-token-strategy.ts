import { sql } from 'kysely'
import { InvalidToken, Unauthorized } from '#api/problems/problems.ts'
import { type AuthStrategy, readAccessToken, readBearer, readQuery } from '#identity/credentials/auth-strategy.ts'
import { hashSecret, isHexSecret } from '#identity/secrets.ts'
import { recordLastActivity } from '#identity/users/last-activity.ts'
import { toViewer, viewerJson } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'

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

/** Dates are JSON strings. */
interface TokenRow {
  id: number
  application_id: number | null
  scopes: string[]
  expires_at: string
  is_revoked: boolean
}

/** Hot path: one statement and no entities. The user is a subquery, because Postgres takes longer to plan a third join. */
async function findTokenAndUser(em: EntityManager, secret: string) {
  const { rows } = await sql<{ token: TokenRow; user: object | null }>`
    SELECT json_build_object('id', t.id, 'application_id', g.application_id, 'scopes', t.scopes, 'expires_at', t.expires_at,
              'is_revoked', t.refresh_used_at IS NOT NULL OR g.revoked_at IS NOT NULL) AS token,
            (SELECT ${viewerJson} FROM users u WHERE u.id = g.user_id) AS user
     FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
     WHERE t.access_hash = ${hashSecret(secret)}`.execute(em.getKysely())
  const [row] = rows

  if (!row) throw new Unauthorized()

  return row
}

function checkUsable({ expires_at, is_revoked }: TokenRow, now: Date) {
  if (is_revoked) throw new InvalidToken('Token was revoked. You have to re-authorize from the user.')
  if (new Date(expires_at) <= now) throw new InvalidToken('Token is expired. You can either do re-authorization or token refresh.')
}
