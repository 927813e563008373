import { type EntityManager, query } from '../platform/database/database.ts'
import type { PersonLike } from '../projects/present-project.ts'
import { person } from './issue-row.ts'

export interface ShownNote {
  id: string
  author: PersonLike | null
  action: string | null
  body: string
  created_at: string
  updated_at: string
}

export interface NoteFilter {
  noteId?: number
  /** What people said, or what was done; both when it is not told. */
  isDone?: boolean
  sort?: 'asc' | 'desc'
}

/** What was said about an issue, and done, with who it was. */
export function issueNotes(em: EntityManager, issueId: number, { noteId, isDone, sort = 'asc' }: NoteFilter = {}) {
  const values = [issueId, noteId ?? null, isDone ?? null]
  const found = `issue_notes n WHERE n.issue_id = $1 AND ($2::bigint IS NULL OR n.id = $2) AND ($3::boolean IS NULL OR (n.action IS NOT NULL) = $3)`

  return {
    list: (limit: number, offset = 0) =>
      query<ShownNote>(
        em,
        `SELECT n.*, ${person('u')} AS author
         FROM (SELECT * FROM ${found} ORDER BY id ${sort} LIMIT ${limit} OFFSET ${offset}) n
         LEFT JOIN users u ON u.id = n.author_id ORDER BY n.id ${sort}`,
        values
      ),
    async count() {
      const [row] = await query<{ count: string }>(em, `SELECT count(*) FROM ${found}`, values)

      return Number(row!.count)
    }
  }
}
