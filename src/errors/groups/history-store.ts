import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { personJson } from '#projects/members/assignees.ts'
import type { PersonLike } from '#projects/present-project.ts'
import type { ErrorGroup } from './error-group.ts'

export interface HistoryEntry {
  /** The name of an audit event, such as `error_updated`. */
  kind: 'comment' | 'regressed' | 'error_updated' | 'errors_merged' | 'error_unmerged'
  id: number
  author: PersonLike | null
  /** Set for comments. */
  body: string | null
  /** Set for audit events. */
  details: Record<string, unknown> | null
  /** `@ann` or `#acme/billing`. */
  assignee: string | null
  created_at: Date
}

/** Comments on an error, changes by users, and regressions, newest first. */
export async function listHistory(em: EntityManager, { id, projectId }: ErrorGroup, limit: number) {
  const { rows } = await sql<HistoryEntry>`
    SELECT h.kind, h.id, h.body, h.details, h.created_at, ${personJson('u')} AS author,
           coalesce((SELECT '@' || username FROM users a WHERE a.id = (h.details->>'assignee_id')::bigint),
             (SELECT '#' || full_path FROM namespaces n WHERE n.id = (h.details->>'assignee_group_id')::bigint)) AS assignee
    FROM (
      (SELECT 'comment' AS kind, id, author_id, body, NULL::jsonb AS details, created_at
       FROM error_comments WHERE group_id = ${id} ORDER BY id DESC LIMIT ${limit})
      UNION ALL
      (SELECT name, id, author_id, NULL, details, created_at FROM audit_events
       WHERE entity_type = 'Project' AND entity_id = ${projectId}
         AND details->>'target_type' = 'Error' AND details->>'target_id' = ${String(id)} ORDER BY id DESC LIMIT ${limit})
      UNION ALL
      (SELECT 'regressed', id, NULL, NULL, NULL, created_at FROM activity_events
       WHERE target_type = 'Error' AND target_id = ${id} AND action = 'reopened' AND author_id IS NULL ORDER BY id DESC LIMIT ${limit})
    ) h LEFT JOIN users u ON u.id = h.author_id
    ORDER BY h.created_at DESC, h.kind, h.id DESC LIMIT ${limit}`.execute(em.getKysely())

  return rows
}
