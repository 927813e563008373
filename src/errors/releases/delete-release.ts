import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { checkUnmodified, unmodifiedSinceOf } from '#platform/database/lock-for-change.ts'
import { findReference } from './release-store.ts'

/**
 * Deletes a release and its deploys from the projects. Refused while errors, sessions or source maps refer to it:
 * they would bring it back, or lose their meaning.
 */
export async function deleteRelease(em: EntityManager, projects: { id: number; fullPath: string }[], version: string, by: Actor) {
  await em.transactional(async em => {
    const ids = projects.map(({ id }) => id)
    const db = em.getKysely<Tables>()
    const rows = await db
      .deleteFrom('error_releases')
      .where('project_id', 'in', ids)
      .where('version', '=', version)
      .returning(['project_id', 'last_seen_at'])
      .execute()

    if (rows.length === 0) throw new NotFound('Release')
    for (const row of rows) checkUnmodified(row.last_seen_at, unmodifiedSinceOf(em))
    const reason = await findReference(em, ids, version)

    // Rolls the deletion back.
    if (reason) throw new Forbidden(reason)
    const deleted = new Set(rows.map(row => row.project_id))

    for (const { id, fullPath } of projects.filter(({ id }) => deleted.has(id))) {
      recordAuditEvent(em, by, {
        name: 'release_deleted',
        entity: { type: 'Project', id, path: fullPath },
        target: { type: 'Release', id: version, details: version }
      })
    }
  })
}
