import { sql } from 'kysely'
import { hashSecret } from '#identity/secrets.ts'
import { viewerJson } from '#identity/viewer.ts'
import { Unauthenticated } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'

/** Dates are JSON strings. */
export interface TokenRow {
  id: number
  application_id: number | null
  scopes: string[]
  expires_at: string
  is_revoked: boolean
}

/** Hot path: one statement and no entities. The user is a subquery, because Postgres takes longer to plan a third join. */
export async function findTokenAndUser(em: EntityManager, secret: string) {
  const { rows } = await sql<{ token: TokenRow; user: object | null }>`
    SELECT json_build_object('id', t.id, 'application_id', g.application_id, 'scopes', t.scopes, 'expires_at', t.expires_at,
              'is_revoked', t.refresh_used_at IS NOT NULL OR g.revoked_at IS NOT NULL) AS token,
            (SELECT ${viewerJson} FROM users u WHERE u.id = g.user_id) AS user
     FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
     WHERE t.access_hash = ${hashSecret(secret)}`.execute(em.getKysely())
  const [row] = rows

  if (!row) throw new Unauthenticated()

  return row
}
