import type { EntityManager } from '../../platform/database/database.ts'

const dayMs = 24 * 3600 * 1000

interface Tables {
  oauth_applications: { id: number; is_dynamic: boolean; created_at: Date }
  oauth_grants: { id: number; application_id: number; revoked_at: Date | null }
}

/** Deletes applications that registered themselves, and that no user authorizes. Clients register again. */
export async function deleteUnusedClients(em: EntityManager, at: Date) {
  await em
    .getKysely<Tables>()
    .deleteFrom('oauth_applications as a')
    .where('a.is_dynamic', '=', true)
    .where('a.created_at', '<', new Date(at.getTime() - dayMs))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('oauth_grants as g').select('g.id').whereRef('g.application_id', '=', 'a.id').where('g.revoked_at', 'is', null))
      )
    )
    .execute()
}
