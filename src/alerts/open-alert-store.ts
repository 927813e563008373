import { type RawBuilder, sql } from 'kysely'
import type { Severity } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type AlertStatus, openStatuses } from './alert.ts'
import { candidates, sorts } from './search/candidates.ts'

/** An alert as lists over several projects show it. */
export interface OpenAlert {
  iid: number
  project_id: number
  title: string
  severity: Severity
  status: AlertStatus
  service: string | null
  started_at: Date
}

/** Open alerts of several projects: the most severe first, triggered before acknowledged ones, then the newest. */
export function findOpenAlerts(em: EntityManager, projectIds: number[], limit: number, statuses: readonly AlertStatus[] = openStatuses) {
  const found = candidates({ projectIds, statuses: [...statuses] }, sorts.severity, { limit }, sql`, iid, title, service`)

  return select(em, sql`(${found}) AS a`, limit)
}

export function findAssignedAlerts(em: EntityManager, projectIds: number[], userId: number, limit: number) {
  return select(
    em,
    sql`alerts a JOIN alert_assignees s ON s.alert_id = a.id
      WHERE s.user_id = ${userId} AND a.status = ANY (${openStatuses}::alert_status[]) AND a.project_id = ANY (${projectIds}::bigint[])`,
    limit
  )
}

async function select(em: EntityManager, source: RawBuilder<unknown>, limit: number) {
  const { rows } = await sql<OpenAlert>`
    SELECT a.iid, a.project_id, a.title, a.severity, a.status, a.service, a.started_at FROM ${source}
    ORDER BY a.severity, a.status, a.started_at DESC, a.id DESC LIMIT ${limit}`.execute(em.getKysely())

  return rows
}
