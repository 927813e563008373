import { sql } from 'kysely'
import type { IssueNoteRow } from '#issues/present-issue.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectList } from '#platform/database/list.ts'
import { personJson } from '#projects/members/assignees.ts'

export interface DiscussionRow {
  id: string
  is_threaded: boolean
  notes: IssueNoteRow[]
}

/** The discussions of an issue, oldest first. A note that started none is a discussion of its own. */
export function listDiscussions(em: EntityManager, issueId: number, id?: string) {
  const notes = em
    .getKysely<Tables>()
    .selectFrom('issue_notes as n')
    .where('n.issue_id', '=', issueId)
    .$if(id !== undefined, notes => notes.where('n.discussion_id', '=', id!))

  return selectList(em, {
    from: notes.groupBy('n.discussion_id'),
    load: (page): Promise<DiscussionRow[]> =>
      page
        .leftJoin('users as u', 'u.id', 'n.author_id')
        .select([
          'n.discussion_id as id',
          sql<boolean>`bool_or(n.is_threaded)`.as('is_threaded'),
          sql<IssueNoteRow[]>`jsonb_agg(to_jsonb(n) || jsonb_build_object('author', ${personJson('u')}) ORDER BY n.id)`.as('notes')
        ])
        .execute(),
    keys: [{ sql: sql`min(n.id)`, sort: 'asc' }]
  })
}
