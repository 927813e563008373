import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { JsonRow } from '#platform/database/json-row.ts'
import { assigneesJson, personJson } from '#projects/members/assignees.ts'
import { type MilestoneRow, milestoneJson } from '#projects/milestones/milestone-schemas.ts'
import type { PersonLike } from '#projects/present-project.ts'

export type IssueRow = JsonRow<Tables['issues']> & {
  author: PersonLike | null
  closed_by: PersonLike | null
  /** By name. */
  labels: { id: number; name: string; description: string | null; color: string }[]
  milestone: MilestoneRow | null
  assignees: PersonLike[]
  /** Comments, without system notes. */
  notes: number
  alert_iids: number[]
}

/** Whether it is an incident that alerts opened. */
export async function hasAlerts(em: EntityManager, issueId: number) {
  const alerts = em.getKysely<Tables>().selectFrom('alerts').select('id').where('issue_id', '=', issueId)

  return (await alerts.limit(1).execute()).length > 0
}

/** The issues with these ids, in no particular order. */
export async function loadIssues(em: EntityManager, ids: number[]) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('issues as i')
    .leftJoin('users as a', 'a.id', 'i.author_id')
    .leftJoin('users as c', 'c.id', 'i.closed_by_id')
    .leftJoin('milestones as m', 'm.id', 'i.milestone_id')
    .where('i.id', '=', sql<number>`ANY (${ids}::bigint[])`)
    .select(
      sql<IssueRow>`to_jsonb(i) || jsonb_build_object(
        'author', ${personJson('a')},
        'closed_by', ${personJson('c')},
        'labels', (SELECT coalesce(jsonb_agg(
                     jsonb_build_object('id', l.id, 'name', l.name, 'description', l.description, 'color', l.color) ORDER BY l.name), '[]')
                   FROM issue_labels x JOIN labels l ON l.id = x.label_id WHERE x.issue_id = i.id),
        'milestone', ${milestoneJson('m')},
        'assignees', ${assigneesJson('issue', 'i')},
        'notes', (SELECT count(*) FROM issue_notes n WHERE n.issue_id = i.id AND n.action IS NULL),
        'alert_iids', (SELECT coalesce(jsonb_agg(l.iid ORDER BY l.iid), '[]') FROM alerts l WHERE l.issue_id = i.id))`.as('row')
    )
    .execute()

  return rows.map(({ row }) => row)
}
