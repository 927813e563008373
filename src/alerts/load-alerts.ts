import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { JsonRow } from '#platform/database/json-row.ts'
import { assigneesJson } from '#projects/members/assignees.ts'
import type { PersonLike } from '#projects/present-project.ts'
import { alertColumns } from './alert.ts'

/** Columns that lists do not show. */
const hidden = ['kind', 'payload', 'integration_id', 'issue_id', 'y_label', 'incident_markdown', 'recurrence_key'] as const

export type AlertRow = Omit<JsonRow<Tables['alerts']>, (typeof hidden)[number]> & {
  integration: { id: number; name: string } | null
  issue: { id: number; iid: number; state: string } | null
  assignees: PersonLike[]
}

/** The alerts with these ids, in no particular order. */
export async function loadAlerts(em: EntityManager, ids: number[]) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom(db =>
      db
        .selectFrom('alerts')
        .where('id', '=', sql<number>`ANY (${ids}::bigint[])`)
        // Payloads are large: not even read.
        .select(alertColumns.filter(column => column !== 'payload'))
        .as('a')
    )
    .leftJoin('alert_integrations as n', 'n.id', 'a.integration_id')
    .leftJoin('issues as i', 'i.id', 'a.issue_id')
    .select(
      sql<AlertRow>`to_jsonb(a) - ${hidden}::text[] || jsonb_build_object(
        'integration', CASE WHEN n.id IS NOT NULL THEN jsonb_build_object('id', n.id, 'name', n.name) END,
        'issue', CASE WHEN i.id IS NOT NULL THEN jsonb_build_object('id', i.id, 'iid', i.iid, 'state', i.state) END,
        'assignees', ${assigneesJson('alert', 'a')})`.as('row')
    )
    .execute()

  return rows.map(({ row }) => row)
}
