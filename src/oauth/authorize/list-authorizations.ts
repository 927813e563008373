import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'

/** The applications that may act for a user: by remembered consent, or by a grant with a token that is not expired. */
export async function listAuthorizations(em: EntityManager, user: { id: number }, at: Date) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom(db =>
      db
        .selectFrom('oauth_grants as g')
        .where('user_id', '=', user.id)
        .where('revoked_at', 'is', null)
        .where(
          sql<boolean>`EXISTS (SELECT FROM oauth_tokens t WHERE t.grant_id = g.id AND (t.refresh_hash IS NOT NULL OR t.expires_at > ${at}))`
        )
        .select(['application_id', 'scopes', 'created_at'])
        .unionAll(db.selectFrom('oauth_consents').where('user_id', '=', user.id).select(['application_id', 'scopes', 'created_at']))
        .as('authorized')
    )
    .leftJoin('oauth_applications as a', 'a.id', 'authorized.application_id')
    .leftJoin('users as owner', 'owner.id', 'a.owner_id')
    .groupBy(['a.id', 'owner.id'])
    .orderBy('a.name')
    .select(['a.id', 'a.name', 'owner.username as owner'])
    .select([sql<string[][]>`json_agg(DISTINCT authorized.scopes)`.as('scopes'), sql<Date>`min(authorized.created_at)`.as('since')])
    .execute()

  return rows.map(({ scopes, ...row }) => ({ ...row, scopes: [...new Set(scopes.flat())] }))
}

export type Authorization = Awaited<ReturnType<typeof listAuthorizations>>[number]
