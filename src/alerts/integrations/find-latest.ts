import type { EntityManager, Tables } from '#platform/database/database.ts'
import { Alert } from '../alert.ts'

/** There is no index by integration. */
const maxAlerts = 1000

/** The newest alert that an integration received, among the newest of its project. */
export async function findLatestOf(em: EntityManager, projectId: number, integrationId: number) {
  const db = em.getKysely<Tables>()
  const newest = db
    .selectFrom('alerts')
    .select(['id', 'iid', 'integration_id'])
    .where('project_id', '=', projectId)
    .orderBy('iid', 'desc')
    .limit(maxAlerts)
  const latest = db.selectFrom(newest.as('a')).select('id').where('integration_id', '=', integrationId).orderBy('iid', 'desc').limit(1)
  const found = await latest.executeTakeFirst()

  return found ? em.findOne(Alert, { id: found.id }) : null
}
