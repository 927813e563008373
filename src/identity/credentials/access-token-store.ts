import { sql } from 'kysely'
import { Unauthenticated } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { hashSecret } from '../secrets.ts'
import type { TokenKind } from '../tokens/access-token.ts'
import { toViewer, viewerJson } from '../viewer.ts'

/** Dates are JSON strings. */
export interface TokenRow {
  id: number
  kind: TokenKind
  scopes: string[]
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

/** Hot path: every API request starts here, so one statement and no entities. */
export async function findTokenAndUser(em: EntityManager, secret: string) {
  const { rows } = await sql<{ token: TokenRow; user: object }>`
    SELECT json_build_object('id', t.id, 'kind', t.kind, 'scopes', t.scopes, 'expires_at', t.expires_at,
              'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at) AS token,
            ${viewerJson} AS user
     FROM access_tokens t JOIN users u ON u.id = t.user_id WHERE t.token_hash = ${hashSecret(secret)}`.execute(em.getKysely())
  const [row] = rows

  if (!row) throw new Unauthenticated()

  return { token: row.token, user: toViewer(row.user) }
}
