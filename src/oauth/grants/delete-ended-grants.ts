import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { AuthorizationCode } from '../authorize/authorization-code.ts'
import { OAuthToken } from '../tokens/oauth-token.ts'
import { Grant } from './grant.ts'

/** Until then a used refresh token is recognised, and a token that ended says why. */
const keptMs = 30 * 24 * 3600 * 1000

/** Deletes codes, tokens and grants that ended. A refresh token that was not used does not expire. */
export async function deleteEndedGrants(em: EntityManager, at: Date) {
  const before = new Date(at.getTime() - keptMs)

  await em.nativeDelete(AuthorizationCode, { usedAt: null, expiresAt: { $lt: at } })
  await em.nativeDelete(OAuthToken, { $or: [{ refreshHash: null, expiresAt: { $lt: before } }, { refreshUsedAt: { $lt: before } }] })
  await em.nativeDelete(Grant, { revokedAt: { $lt: before } })
  await em
    .getKysely<Tables>()
    .deleteFrom('oauth_grants as g')
    .where('created_at', '<', before)
    .where(sql<boolean>`NOT EXISTS (SELECT FROM oauth_tokens t WHERE t.grant_id = g.id)`)
    .execute()
}
