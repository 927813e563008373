import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'

const dayMs = 24 * 3600 * 1000
const unusedMs = 90 * dayMs

/**
 * Deletes applications that registered themselves a day ago or earlier, and that got no token in the last 90 days by a grant that is not
 * revoked. Clients register again.
 */
export async function deleteUnusedClients(em: EntityManager, at: Date) {
  await em.transactional(async em => {
    const db = em.getKysely<Tables>()
    const isUnused = unused(at)
    // An application that is in an exchange now is skipped. Whether the others are unused is certain only once they are locked.
    const locked = await db.selectFrom('oauth_applications as a').select('a.id').where(isUnused).forUpdate().skipLocked().execute()
    const ids = locked.map(({ id }) => id)

    if (ids.length > 0) await db.deleteFrom('oauth_applications as a').where('a.id', 'in', ids).where(isUnused).execute()
  })
}

function unused(at: Date) {
  return sql<boolean>`a.is_dynamic AND a.created_at < ${new Date(at.getTime() - dayMs)} AND NOT EXISTS (
    SELECT FROM oauth_grants g JOIN oauth_tokens t ON t.grant_id = g.id
    WHERE g.application_id = a.id AND g.revoked_at IS NULL AND t.created_at > ${new Date(at.getTime() - unusedMs)})`
}
