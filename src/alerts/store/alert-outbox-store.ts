import type { Severity } from '#lib/severity.ts'
import { addRuleEntries } from '#outbox/outbox-store.ts'
import { type EntityManager, query } from '#platform/database/database.ts'
import type { AlertChange, Receipt } from './aggregate-alerts.ts'

interface Row {
  id: number
  project_id: number
  became: AlertChange['became']
  severity: Severity
}

/** Writes the changes of a batch to the outbox, for projects that have rules. A raised severity is news, a repetition is not. */
export async function addAlertsToOutbox(em: EntityManager, requests: { projectId: number }[], receipts: Receipt[]) {
  const changes = receipts.flatMap(({ changes = [] }, n) =>
    changes.map(({ iid, became }) => ({ project_id: requests[n]!.projectId, iid, became }))
  )

  if (changes.length === 0) return
  const rows = await query<Row>(
    em,
    `SELECT DISTINCT a.id, a.project_id, n.became, a.severity
     FROM json_to_recordset($1) AS n (project_id bigint, iid bigint, became text)
     JOIN alerts a ON a.project_id = n.project_id AND a.iid = n.iid
     WHERE EXISTS (SELECT FROM notified_projects p WHERE p.project_id = n.project_id)
     ORDER BY a.id`,
    [JSON.stringify(changes)]
  )

  await addRuleEntries(
    em,
    rows.map(({ id, project_id, became, severity }) => ({
      kind: `alert.${became}` as const,
      projectId: project_id,
      subjectId: id,
      key: `alert-${id}-${became}-${severity}`
    }))
  )
}
