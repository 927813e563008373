import { sql } from 'kysely'
import type { Severity } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Alert, AlertStatus } from '../alert.ts'

export interface RelatedAlert {
  iid: number
  title: string
  severity: Severity
  status: AlertStatus
  startedAt: Date
  endedAt: Date | null
  /** Number of its incident. */
  issueIid: number | null
}

const columns = sql`a.iid, a.title, a.severity, a.status, a.started_at AS "startedAt", a.ended_at AS "endedAt", i.iid AS "issueIid"`

/** Other alerts of the same condition, the latest first. */
export async function findRecurrences(em: EntityManager, { projectId, iid, recurrenceKey }: Alert, limit: number) {
  if (!recurrenceKey) return []
  const { rows } = await sql<RelatedAlert>`
    SELECT ${columns} FROM alerts a LEFT JOIN issues i ON i.id = a.issue_id
    WHERE a.project_id = ${projectId} AND a.recurrence_key = ${recurrenceKey} AND a.iid <> ${iid}
    ORDER BY a.iid DESC LIMIT ${limit}`.execute(em.getKysely())

  return rows
}

/** Alerts read per status, before and after. */
const maxNeighbours = 25

/** Alerts of other conditions that started within an hour: those of the same service or host first, then the nearest. */
export async function findNeighbours(em: EntityManager, alert: Alert, limit: number) {
  const { projectId, iid, recurrenceKey, startedAt, service, hosts } = alert
  const { rows } = await sql<RelatedAlert>`
    SELECT ${columns}, coalesce(a.service = ${service ?? null}, false) OR a.hosts && ${hosts}::text[] AS is_same_place
    FROM unnest('{triggered,acknowledged,resolved,ignored}'::alert_status[]) AS s (status) CROSS JOIN LATERAL (
      (SELECT * FROM alerts WHERE project_id = ${projectId} AND status = s.status
         AND started_at <= ${startedAt} AND started_at > ${startedAt}::timestamptz - interval '1 hour'
       ORDER BY started_at DESC, id DESC LIMIT ${maxNeighbours})
      UNION ALL
      (SELECT * FROM alerts WHERE project_id = ${projectId} AND status = s.status
         AND started_at > ${startedAt} AND started_at < ${startedAt}::timestamptz + interval '1 hour'
       ORDER BY started_at, id LIMIT ${maxNeighbours})) a
    LEFT JOIN issues i ON i.id = a.issue_id
    WHERE a.iid <> ${iid} AND a.recurrence_key IS DISTINCT FROM ${recurrenceKey ?? null}
    ORDER BY is_same_place DESC, abs(extract(epoch FROM a.started_at - ${startedAt}::timestamptz)), a.iid LIMIT ${limit}`.execute(
    em.getKysely()
  )

  return rows
}
