import { sql } from 'kysely'
import type { Severity } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { IncidentStatus } from './issue-note.ts'

/** An incident as lists over several projects show it. */
export interface OpenIncident {
  iid: number
  project_id: number
  title: string
  severity: Severity
  created_at: Date
  is_assigned: boolean
}

/** Open incidents of several projects, the most severe first, then the latest; `is_assigned` tells whether the user is an assignee. */
export async function findOpenIncidents(em: EntityManager, projectIds: number[], userId: number, limit: number) {
  const { rows } = await sql<OpenIncident>`
    SELECT i.iid, i.project_id, i.title, i.severity, i.created_at,
           EXISTS (SELECT FROM issue_assignees s WHERE s.issue_id = i.id AND s.user_id = ${userId}) AS is_assigned
    FROM unnest(${projectIds}::bigint[]) AS p (id) CROSS JOIN LATERAL (
      SELECT * FROM issues WHERE project_id = p.id AND issue_type = 'incident' AND state = 'opened'
      ORDER BY severity, created_at DESC, id DESC LIMIT ${limit}) i
    ORDER BY i.severity, i.created_at DESC LIMIT ${limit}`.execute(em.getKysely())

  return rows
}

/** What the latest status update of each incident says; incidents without one are not in the map. */
export async function findStatuses(em: EntityManager, issueIds: number[]) {
  const { rows } = await sql<{ id: number; status: IncidentStatus }>`
    SELECT i.id, n.incident_status AS status FROM unnest(${issueIds}::bigint[]) AS i (id) CROSS JOIN LATERAL (
      SELECT incident_status FROM issue_notes WHERE issue_id = i.id AND incident_status IS NOT NULL ORDER BY id DESC LIMIT 1) n`.execute(
    em.getKysely()
  )

  return new Map(rows.map(({ id, status }) => [id, status]))
}

export interface LastComment {
  body: string
  created_at: Date
  username: string | null
}

/** The latest comment or status update of each issue, its beginning; issues without one are not in the map. */
export async function findLastComments(em: EntityManager, issueIds: number[], length: number) {
  const { rows } = await sql<LastComment & { id: number }>`
    SELECT i.id, n.body, n.created_at, u.username FROM unnest(${issueIds}::bigint[]) AS i (id) CROSS JOIN LATERAL (
      SELECT left(body, ${length}) AS body, created_at, author_id FROM issue_notes WHERE issue_id = i.id AND action IS NULL ORDER BY id DESC LIMIT 1) n
    LEFT JOIN users u ON u.id = n.author_id`.execute(em.getKysely())

  return new Map(rows.map(({ id, ...comment }) => [id, comment]))
}
