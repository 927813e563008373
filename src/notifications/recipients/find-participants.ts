import { sql } from 'kysely'
import type { EntityManager } from '../../platform/database/database.ts'

/** The authors, assignees and commenters of issues, by issue. */
export async function findParticipants(em: EntityManager, issueIds: number[]) {
  const { rows } = await sql<{ id: string; users: string[] }>`
    SELECT i.id, array(
      SELECT i.author_id WHERE i.author_id IS NOT NULL
      UNION SELECT user_id FROM issue_assignees WHERE issue_id = i.id
      UNION SELECT author_id FROM issue_notes WHERE issue_id = i.id AND action IS NULL AND author_id IS NOT NULL
    ) AS users
    FROM issues i WHERE i.id = ANY (${issueIds}::bigint[])`.execute(em.getKysely())

  return new Map(rows.map(({ id, users }) => [Number(id), new Set(users.map(Number))]))
}
