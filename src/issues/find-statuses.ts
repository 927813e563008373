import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import type { IncidentStatus } from './issue-note.ts'

/** What the latest status update of each incident says; incidents without one are not in the map. */
export async function findStatuses(em: EntityManager, issueIds: number[]) {
  const { rows } = await sql<{ id: number; status: IncidentStatus }>`
    SELECT i.id, n.incident_status AS status FROM unnest(${issueIds}::bigint[]) AS i (id) CROSS JOIN LATERAL (
      SELECT incident_status FROM issue_notes WHERE issue_id = i.id AND incident_status IS NOT NULL ORDER BY id DESC LIMIT 1) n`.execute(
    em.getKysely()
  )

  return new Map(rows.map(({ id, status }) => [id, status]))
}
