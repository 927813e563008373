import { type RawBuilder, sql } from 'kysely'
import type { Severity } from '../lib/severity.ts'
import type { EntityManager } from '../platform/database/database.ts'
import type { AlertStatus } from './alert.ts'

/** An alert as lists over several projects show it. */
export interface OpenAlert {
  iid: number
  project_id: number
  title: string
  severity: Severity
  status: AlertStatus
  service: string | null
  started_at: string
}

/** Triggered and acknowledged alerts of several projects: of the latest ones in each, the most severe first. */
export function findOpenAlerts(em: EntityManager, projectIds: number[], limit: number) {
  return select(
    em,
    sql`unnest(${projectIds}::bigint[]) AS p (id) CROSS JOIN unnest('{triggered,acknowledged}'::alert_status[]) AS s (status) CROSS JOIN LATERAL (
      SELECT * FROM alerts WHERE project_id = p.id AND status = s.status ORDER BY started_at DESC, id DESC LIMIT ${limit}) a`,
    limit
  )
}

export function findAssignedAlerts(em: EntityManager, projectIds: number[], userId: number, limit: number) {
  return select(
    em,
    sql`alerts a JOIN alert_assignees s ON s.alert_id = a.id
      WHERE s.user_id = ${userId} AND a.status IN ('triggered', 'acknowledged') AND a.project_id = ANY (${projectIds}::bigint[])`,
    limit
  )
}

async function select(em: EntityManager, source: RawBuilder<unknown>, limit: number) {
  const { rows } = await sql<OpenAlert>`
    SELECT a.iid, a.project_id, a.title, a.severity, a.status, a.service, a.started_at FROM ${source}
    ORDER BY a.severity, a.started_at DESC LIMIT ${limit}`.execute(em.getKysely())

  return rows.map(row => ({ ...row, iid: Number(row.iid), project_id: Number(row.project_id) }))
}
