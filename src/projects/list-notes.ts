import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { personJson } from './members/assignees.ts'
import type { PersonLike } from './present-project.ts'

/** A row of `alert_notes` or `issue_notes` with its author. */
export interface NoteRow {
  id: number
  author: PersonLike | null
  /** Null for comments. */
  action: string | null
  body: string
  created_at: string
}

interface NoteFilter {
  noteId?: number
  /** The id of a note: only later ones. */
  after?: number
  /** System notes or comments; both when undefined. */
  isSystem?: boolean
  sort?: 'asc' | 'desc'
}

/** The notes of an alert or an issue. */
export function listNotes<Row extends NoteRow = NoteRow>(
  em: EntityManager,
  type: 'alert' | 'issue',
  subjectId: number,
  { noteId, after, isSystem, sort = 'asc' }: NoteFilter = {}
) {
  const notes = em
    .getKysely<Tables>()
    .selectFrom(sql<Row & { author_id: number }>`${sql.table(`${type}_notes`)}`.as('n'))
    .where(sql.ref(`n.${type}_id`), '=', subjectId)
    .$if(noteId !== undefined, notes => notes.where(sql.ref('n.id'), '=', noteId!))
    .$if(after !== undefined, notes => notes.where(sql.ref('n.id'), '>', after!))
    .$if(isSystem !== undefined, notes => notes.where(sql.ref('n.action'), isSystem ? 'is not' : 'is', null))

  return {
    list: (limit: number, offset = 0) =>
      notes
        .leftJoin('users as u', join => join.on('u.id', '=', sql.ref('n.author_id')))
        .select([sql<Row>`to_jsonb(n) || jsonb_build_object('author', ${personJson('u')})`.as('note')])
        .orderBy(sql.ref('n.id'), sort)
        .limit(limit)
        .offset(offset)
        .execute()
        .then(rows => rows.map(({ note }) => note)),
    async count() {
      const { count } = await notes.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()

      return count
    }
  }
}
