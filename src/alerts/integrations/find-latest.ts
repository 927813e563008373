import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { Alert } from '../alert.ts'

/** There is no index by integration. */
const maxAlerts = 1000

/** The newest alert that an integration received, among the newest of its project. */
export async function findLatestOf(em: EntityManager, projectId: number, integrationId: number) {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM (SELECT id, iid, integration_id FROM alerts WHERE project_id = ${projectId} ORDER BY iid DESC LIMIT ${maxAlerts}) a
    WHERE integration_id = ${integrationId} ORDER BY iid DESC LIMIT 1`.execute(em.getKysely())

  return rows[0] ? em.findOne(Alert, { id: rows[0].id }) : null
}
