import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'

/** Replaces the milestones of this title in the projects of a group by the group's milestone. */
export async function mergeIntoGroupMilestone(em: EntityManager, { id, title, groupId }: { id: number; title: string; groupId: number }) {
  const rows = await query<{ id: number }>(
    em,
    `SELECT m.id FROM milestones m JOIN projects p ON p.id = m.project_id JOIN namespaces n ON n.id = p.namespace_id
     WHERE m.title = $2 AND n.lineage @> ARRAY[$1::bigint]`,
    [groupId, title]
  )
  const merged = rows.map(row => row.id)

  for (const table of ['issues', 'issue_events']) {
    await query(em, `UPDATE ${table} SET milestone_id = $1 WHERE milestone_id = ANY ($2::bigint[])`, [id, merged])
  }
  await query(em, 'DELETE FROM milestones WHERE id = ANY ($1::bigint[])', [merged])
}

/** Issues of transferred projects keep their milestones: those of groups that the project is no longer in become its own. */
export async function adoptMilestones(em: EntityManager, projectIds: number[]) {
  await query(
    em,
    `WITH lost AS (
       SELECT DISTINCT ON (i.project_id, m.title) i.project_id, n.lineage, m.id, m.iid, m.title, m.description, m.state, m.start_date, m.due_date
       FROM issues i JOIN projects p ON p.id = i.project_id JOIN namespaces n ON n.id = p.namespace_id
       JOIN milestones m ON m.id = i.milestone_id AND m.group_id <> ALL (n.lineage)
       WHERE i.project_id = ANY ($1::bigint[])
     )
     INSERT INTO milestones (project_id, iid, title, description, state, start_date, due_date)
     SELECT l.project_id, (SELECT coalesce(max(o.iid), 0) FROM milestones o WHERE o.project_id = l.project_id)
              + row_number() OVER (PARTITION BY l.project_id ORDER BY l.iid, l.id),
            l.title, l.description, l.state, l.start_date, l.due_date
     FROM lost l
     WHERE NOT EXISTS (SELECT FROM milestones o WHERE (o.group_id = ANY (l.lineage) OR o.project_id = l.project_id) AND o.title = l.title)`,
    [projectIds]
  )
  await query(
    em,
    `UPDATE issues i SET milestone_id = o.id
     FROM projects p, namespaces n, milestones m, milestones o
     WHERE i.project_id = ANY ($1::bigint[]) AND p.id = i.project_id AND n.id = p.namespace_id
       AND m.id = i.milestone_id AND m.group_id <> ALL (n.lineage)
       AND o.title = m.title AND (o.project_id = i.project_id OR o.group_id = ANY (n.lineage))`,
    [projectIds]
  )
}

/** Whether a project can use a milestone: one of its own or of a group above it. */
export async function isMilestoneOf(em: EntityManager, projectId: number, milestoneId: number) {
  const { rows } = await sql`
    SELECT FROM milestones m JOIN projects p ON p.id = ${projectId} JOIN namespaces n ON n.id = p.namespace_id
    WHERE m.id = ${milestoneId} AND (m.project_id = p.id OR m.group_id = ANY (n.lineage))`.execute(em.getKysely())

  return rows.length > 0
}
