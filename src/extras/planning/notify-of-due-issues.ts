import { sql } from 'kysely'
import { addToOutbox } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'

const batchSize = 1000

/** Notifies people of the open issues that are due tomorrow (UTC). The key of the outbox makes that it happens once for each due date. */
export async function notifyOfDueIssues(em: EntityManager, at: Date) {
  for (let isFull = true; isFull; ) {
    isFull = await em.fork().transactional(async em => {
      const issues = await findDueTomorrow(em, at)

      await addToOutbox(
        em,
        issues.map(issue => ({ kind: 'issue.due', ...issue }))
      )

      return issues.length === batchSize
    })
  }
}

async function findDueTomorrow(em: EntityManager, at: Date) {
  const { rows } = await sql<{ subjectId: number; projectId: number; key: string }>`
    SELECT i.id AS "subjectId", i.project_id AS "projectId", k.key
    FROM issues i JOIN projects p ON p.id = i.project_id AND p.read_only_reason IS NULL
    CROSS JOIN LATERAL (SELECT 'issue-' || i.id || '-due-' || i.due_date AS key) k
    WHERE i.state = 'opened' AND i.due_date = (${at}::timestamptz AT TIME ZONE 'UTC')::date + 1
      AND NOT EXISTS (SELECT FROM outbox o WHERE o.key = k.key)
    ORDER BY i.id LIMIT ${sql.lit(batchSize)}`.execute(em.getKysely())

  return rows
}
