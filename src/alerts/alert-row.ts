import { person } from '../issues/issue-row.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import type { PersonLike } from '../projects/present-project.ts'
import type { AlertStatus, PayloadKind } from './alert.ts'
import type { Severity } from './severity.ts'

/** All that is shown of an alert in a list, as the database tells it. */
export interface ShownAlert {
  id: number
  iid: number
  project_id: number
  kind: PayloadKind
  fingerprint: string | null
  status: AlertStatus
  severity: Severity
  title: string
  description: string | null
  service: string | null
  monitoring_tool: string | null
  hosts: string[]
  environment: string | null
  runbook: string | null
  metric_expression: string | null
  y_label: string | null
  incident_markdown: string | null
  events: number
  started_at: string
  ended_at: string | null
  created_at: string
  updated_at: string
  integration: { id: number; name: string } | null
  issue: { id: number; iid: number; state: string } | null
  assignees: PersonLike[]
}

/** The alerts of these ids, in their order, with what belongs to each: one statement, however many. */
export async function readShown(em: EntityManager, ids: number[]) {
  const rows = await query<{ shown: ShownAlert }>(
    em,
    `SELECT to_jsonb(a) - 'payload' || jsonb_build_object(
              'integration', CASE WHEN n.id IS NOT NULL THEN jsonb_build_object('id', n.id, 'name', n.name) END,
              'issue', CASE WHEN i.id IS NOT NULL THEN jsonb_build_object('id', i.id, 'iid', i.iid, 'state', i.state) END,
              'assignees', (SELECT coalesce(jsonb_agg(${person('u')} ORDER BY u.id), '[]')
                            FROM alert_assignees s JOIN users u ON u.id = s.user_id WHERE s.alert_id = a.id)) AS shown
     FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, place)
     JOIN alerts a USING (id)
     LEFT JOIN alert_integrations n ON n.id = a.integration_id
     LEFT JOIN issues i ON i.id = a.issue_id
     ORDER BY wanted.place`,
    [ids]
  )

  return rows.map(({ shown }) => shown)
}
