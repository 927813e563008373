import { type EntityManager, query } from '#platform/database/database.ts'

/** What of an issue also exists in another project: labels and milestone by name, assignees who are members. */
export async function findCounterparts(em: EntityManager, issueId: number, projectId: number) {
  const [row] = await query<{ labels: string[]; milestone_id: number | null; assignee_ids: number[] }>(
    em,
    `SELECT
       ARRAY(SELECT DISTINCT l.name FROM issue_labels x JOIN labels l ON l.id = x.label_id JOIN labels o ON o.name = l.name
             WHERE x.issue_id = i.id AND (o.project_id = p.id OR o.group_id = ANY (n.lineage))) AS labels,
       (SELECT o.id FROM milestones m JOIN milestones o ON o.title = m.title
        WHERE m.id = i.milestone_id AND (o.project_id = p.id OR o.group_id = ANY (n.lineage)) ORDER BY o.project_id LIMIT 1) AS milestone_id,
       ARRAY(SELECT user_id FROM issue_assignees WHERE issue_id = i.id) AS assignee_ids
     FROM issues i, projects p JOIN namespaces n ON n.id = p.namespace_id WHERE i.id = $1 AND p.id = $2`,
    [issueId, projectId]
  )

  return {
    labels: row?.labels ?? [],
    milestoneId: row?.milestone_id ?? null,
    assigneeIds: row?.assignee_ids ?? []
  }
}

/** Comments and history, in their order. */
export function copyNotes(em: EntityManager, fromId: number, toId: number) {
  return query(
    em,
    `INSERT INTO issue_notes (issue_id, author_id, action, body, incident_status, discussion_id, is_threaded, created_at, updated_at)
     SELECT $2, author_id, action, body, incident_status, discussion_id, is_threaded, created_at, updated_at
     FROM issue_notes WHERE issue_id = $1 ORDER BY id`,
    [fromId, toId]
  )
}

export function copySubscriptions(em: EntityManager, fromId: number, toId: number) {
  return query(
    em,
    'INSERT INTO issue_subscriptions (issue_id, user_id, is_subscribed) SELECT $2, user_id, is_subscribed FROM issue_subscriptions WHERE issue_id = $1',
    [fromId, toId]
  )
}
