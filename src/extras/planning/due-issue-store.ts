import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

/** Open issues that are due tomorrow (UTC) and of which the outbox has no notification. */
export async function findDueTomorrow(em: EntityManager, at: Date, limit: number) {
  const { rows } = await sql<{ subjectId: number; projectId: number; key: string }>`
    SELECT i.id AS "subjectId", i.project_id AS "projectId", k.key
    FROM issues i JOIN projects p ON p.id = i.project_id AND p.read_only_reason IS NULL
    CROSS JOIN LATERAL (SELECT 'issue-' || i.id || '-due-' || i.due_date AS key) k
    WHERE i.state = 'opened' AND i.due_date = (${at}::timestamptz AT TIME ZONE 'UTC')::date + 1
      AND NOT EXISTS (SELECT FROM outbox o WHERE o.key = k.key)
    ORDER BY i.id LIMIT ${sql.lit(limit)}`.execute(em.getKysely())

  return rows
}
