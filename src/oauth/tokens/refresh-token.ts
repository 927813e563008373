import { hashSecret } from '#identity/secrets.ts'
import { toViewer, viewerJson } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'

/**
 * A refresh token with its grant and user; undefined when there is none. One of several concurrent refreshes wins, because
 * the grant is locked, then the token: the order in which a deletion locks them, too.
 */
export async function lockRefreshToken(em: EntityManager, secret: string) {
  const row = await em
    .getKysely<Tables>()
    .selectFrom('oauth_tokens as t')
    .innerJoin('oauth_grants as g', 'g.id', 't.grant_id')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .where('t.refresh_hash', '=', hashSecret(secret))
    .select(['t.id', 't.refresh_used_at', 't.refresh_reused_at', 'g.id as grant_id', 'g.application_id', 'g.scopes'])
    .select(['g.redirect_uri', 'g.auth_time', 'g.revoked_at', viewerJson.as('user')])
    .forNoKeyUpdate('g')
    .forNoKeyUpdate('t')
    .executeTakeFirst()

  if (!row) return undefined
  const grant = {
    id: row.grant_id,
    applicationId: row.application_id,
    scopes: row.scopes,
    redirectUri: row.redirect_uri,
    authTime: row.auth_time,
    revokedAt: row.revoked_at,
    user: toViewer(row.user)
  }

  return { id: row.id, usedAt: row.refresh_used_at, reusedAt: row.refresh_reused_at, grant }
}

type RefreshToken = Pick<NonNullable<Awaited<ReturnType<typeof lockRefreshToken>>>, 'id' | 'usedAt' | 'reusedAt'>

/**
 * Ends both tokens. False when the refresh token was used before: it was copied, unless the client repeats
 * itself, once, within the seconds.
 */
export async function useRefreshToken(em: EntityManager, { id, usedAt, reusedAt }: RefreshToken, at: Date, reuseSeconds: number) {
  // Concurrent requests may have read the clock in another order than they got the lock.
  const elapsedMs = usedAt ? Math.max(0, at.getTime() - usedAt.getTime()) : 0

  if (usedAt && (reusedAt || elapsedMs >= reuseSeconds * 1000)) return false
  await em
    .getKysely<Tables>()
    .updateTable('oauth_tokens')
    .set(usedAt ? { refresh_reused_at: at } : { refresh_used_at: at })
    .where('id', '=', id)
    .execute()

  return true
}
