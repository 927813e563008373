import { type EntityManager, query } from '#platform/database/database.ts'

/** The columns that say who did something. Activity and audit events keep the id: their readers show the ghost instead. */
const authorships = {
  projects: 'creator_id',
  members: 'created_by_id',
  issues: 'author_id',
  issue_notes: 'author_id',
  issue_events: 'user_id',
  alert_notes: 'author_id',
  error_comments: 'author_id'
}

/** Makes another user the author of everything that a user wrote. */
export async function replaceAuthor(em: EntityManager, from: number, to: number) {
  for (const [table, column] of Object.entries(authorships)) {
    await query(em, `UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`, [from, to])
  }
  await query(em, 'UPDATE issues SET closed_by_id = $2 WHERE closed_by_id = $1', [from, to])
}
