import { sql } from 'kysely'
import type { Severity } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'

interface HourlyIncidents {
  project_id: number
  hour: Date
  count: number
}

/** The incidents of several projects that were opened, by hour. */
export async function countOpenedIncidents(em: EntityManager, projectIds: number[], since: Date) {
  const { rows } = await sql<HourlyIncidents>`
    SELECT project_id, date_trunc('hour', created_at, 'UTC') AS hour, count(*) FROM issues
    WHERE project_id = ANY (${projectIds}::bigint[]) AND issue_type = 'incident' AND state IN ('opened', 'closed') AND created_at >= ${since.toISOString()}
    GROUP BY 1, 2`.execute(em.getKysely())

  return rows
}

/** The open incidents of each project, up to `max`. */
export async function countOpenIncidents(em: EntityManager, projectIds: number[], max: number) {
  const { rows } = await sql<{ project_id: number; count: number }>`
    SELECT p.id AS project_id, (
      SELECT count(*) FROM (SELECT FROM issues WHERE project_id = p.id AND issue_type = 'incident' AND state = 'opened' LIMIT ${max}) open
    ) AS count
    FROM unnest(${projectIds}::bigint[]) AS p (id)`.execute(em.getKysely())

  return new Map(rows.map(({ project_id: id, count }) => [id, count]))
}

/** An open issue or incident that mentions a user. */
export interface MentioningIssue {
  iid: number
  project_id: number
  issue_type: 'issue' | 'incident'
  title: string
  severity: Severity
  mentioned_at: Date
}

/** Open issues whose comments mentioned the user since then, the latest mention first. Confidential ones are left out. */
export async function findMentions(em: EntityManager, projectIds: number[], username: string, since: Date, limit: number) {
  const { rows } = await sql<MentioningIssue>`
    SELECT i.iid, i.project_id, i.issue_type, i.title, i.severity, max(n.created_at) AS mentioned_at
    FROM issues i JOIN issue_notes n ON n.issue_id = i.id
    WHERE i.project_id = ANY (${projectIds}::bigint[]) AND i.state = 'opened' AND NOT i.is_confidential
      AND n.action IS NULL AND n.created_at >= ${since.toISOString()}
      AND n.body ~* ${`(^|[^\\w.@])@${username.replaceAll(/[.\\+*?[\](){}^$|-]/g, '\\$&')}($|[^\\w-])`}
    GROUP BY i.id ORDER BY mentioned_at DESC LIMIT ${limit}`.execute(em.getKysely())

  return rows
}
