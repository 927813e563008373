import { person } from '../issues/issue-row.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import type { PersonLike } from '../projects/present-project.ts'

export interface ShownNote {
  id: string | number
  author: PersonLike | null
  action: string | null
  body: string
  created_at: string
}

/** What was said about an alert, and done, with who it was: a page of it from either end. */
export function listNotes(em: EntityManager, alertId: number, { limit, offset = 0, sort = 'asc' }: Page) {
  return query<ShownNote>(
    em,
    `SELECT n.id, n.action, n.body, n.created_at, ${person('u')} AS author
     FROM alert_notes n LEFT JOIN users u ON u.id = n.author_id
     WHERE n.alert_id = $1 ORDER BY n.id ${sort} LIMIT ${limit} OFFSET ${offset}`,
    [alertId]
  )
}

interface Page {
  limit: number
  offset?: number
  sort?: 'asc' | 'desc'
}
