import type { Severity } from '../alerts/severity.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import type { PersonLike } from '../projects/present-project.ts'
import type { IssueState, IssueType } from './issue.ts'

/** All that is shown of an issue, as the database tells it. */
export interface ShownIssue {
  id: number
  iid: number
  project_id: number
  issue_type: IssueType
  state: IssueState
  title: string
  description: string | null
  severity: Severity
  created_at: string
  updated_at: string
  closed_at: string | null
  author: PersonLike | null
  closed_by: PersonLike | null
  assignees: PersonLike[]
  notes: number
  alert_iids: number[]
}

export const person = (user: string) =>
  `CASE WHEN ${user}.id IS NOT NULL THEN
     jsonb_build_object('id', ${user}.id, 'username', ${user}.username, 'name', ${user}.name, 'state', ${user}.state)
   END`

/** The issues of these ids, in their order, with what belongs to each: one statement, however many. */
export async function readShown(em: EntityManager, ids: number[]) {
  const rows = await query<{ shown: ShownIssue }>(
    em,
    `SELECT to_jsonb(i) || jsonb_build_object(
              'author', ${person('a')},
              'closed_by', ${person('c')},
              'assignees', (SELECT coalesce(jsonb_agg(${person('u')} ORDER BY u.id), '[]')
                            FROM issue_assignees s JOIN users u ON u.id = s.user_id WHERE s.issue_id = i.id),
              'notes', (SELECT count(*) FROM issue_notes n WHERE n.issue_id = i.id AND n.action IS NULL),
              'alert_iids', (SELECT coalesce(jsonb_agg(l.iid ORDER BY l.iid), '[]') FROM alerts l WHERE l.issue_id = i.id)) AS shown
     FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, place)
     JOIN issues i USING (id)
     LEFT JOIN users a ON a.id = i.author_id
     LEFT JOIN users c ON c.id = i.closed_by_id
     ORDER BY wanted.place`,
    [ids]
  )

  return rows.map(({ shown }) => shown)
}
