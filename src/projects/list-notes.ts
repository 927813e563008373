import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
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
  /** System notes or comments; both when undefined. */
  isSystem?: boolean
  sort?: 'asc' | 'desc'
}

/** The notes of an alert or an issue. */
export function listNotes<Row extends NoteRow = NoteRow>(
  em: EntityManager,
  type: 'alert' | 'issue',
  subjectId: number,
  { noteId, isSystem, sort = 'asc' }: NoteFilter = {}
) {
  const notes = em
    .getKysely<Tables>()
    .selectFrom(sql<Row & { author_id: number }>`${sql.table(`${type}_notes`)}`.as('n'))
    .where(sql.ref(`n.${type}_id`), '=', subjectId)
    .$if(noteId !== undefined, notes => notes.where(sql.ref('n.id'), '=', noteId!))
    .$if(isSystem !== undefined, notes => notes.where(sql.ref('n.action'), isSystem ? 'is not' : 'is', null))

  return selectList(em, {
    from: notes,
    load: page =>
      selectAs(
        page.leftJoin('users as u', join => join.on('u.id', '=', sql.ref('n.author_id'))),
        sql<Row>`to_jsonb(n) || jsonb_build_object('author', ${personJson('u')})`
      ),
    keys: [{ sql: 'n.id', type: 'bigint', of: note => note.id, sort }]
  })
}
