import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'

/** Replaces the labels of this name in the projects of a group by the group's label. */
export async function mergeIntoGroupLabel(em: EntityManager, { id, name, groupId }: { id: number; name: string; groupId: number }) {
  const rows = await query<{ id: number }>(
    em,
    `SELECT l.id FROM labels l JOIN projects p ON p.id = l.project_id JOIN namespaces n ON n.id = p.namespace_id
     WHERE l.name = $2 AND n.lineage @> ARRAY[$1::bigint]`,
    [groupId, name]
  )
  const merged = rows.map(row => row.id)
  const copies = {
    issue_labels: ['issue_id'],
    label_subscriptions: ['user_id'],
    label_priorities: ['project_id', 'priority']
  }

  for (const [table, columns] of Object.entries(copies)) {
    await query(
      em,
      `INSERT INTO ${table} (label_id, ${columns}) SELECT $1, ${columns} FROM ${table} WHERE label_id = ANY ($2::bigint[]) ON CONFLICT DO NOTHING`,
      [id, merged]
    )
  }
  await query(em, 'UPDATE issue_events SET label_id = $1 WHERE label_id = ANY ($2::bigint[])', [id, merged])
  await query(em, 'DELETE FROM labels WHERE id = ANY ($1::bigint[])', [merged])
}

/** Issues of transferred projects keep their labels: those of groups that the project is no longer in become its own. */
export async function adoptLabels(em: EntityManager, projectIds: number[]) {
  await query(
    em,
    `WITH lost AS (${lostLabels})
     INSERT INTO labels (project_id, name, color, description)
     SELECT DISTINCT ON (project_id, name) project_id, name, color, description FROM lost
     WHERE NOT EXISTS (SELECT FROM labels o WHERE o.group_id = ANY (lost.lineage) AND o.name = lost.name)
     ON CONFLICT DO NOTHING`,
    [projectIds]
  )
  await query(
    em,
    `WITH lost AS (${lostLabels}), gone AS (
       DELETE FROM issue_labels x USING lost WHERE x.issue_id = lost.issue_id AND x.label_id = lost.label_id
     )
     INSERT INTO issue_labels (issue_id, label_id)
     SELECT lost.issue_id, o.id FROM lost
     JOIN labels o ON o.name = lost.name AND (o.project_id = lost.project_id OR o.group_id = ANY (lost.lineage))
     ON CONFLICT DO NOTHING`,
    [projectIds]
  )
}

const lostLabels = `
  SELECT x.issue_id, x.label_id, i.project_id, n.lineage, l.name, l.color, l.description
  FROM issues i
  JOIN projects p ON p.id = i.project_id
  JOIN namespaces n ON n.id = p.namespace_id
  JOIN issue_labels x ON x.issue_id = i.id
  JOIN labels l ON l.id = x.label_id AND l.group_id <> ALL (n.lineage)
  WHERE i.project_id = ANY ($1::bigint[])`

export async function findLabels(em: EntityManager, projectId: number, names: string[]) {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT DISTINCT ON (l.name) l.id, l.name
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    JOIN labels l ON l.project_id = p.id OR l.group_id = ANY (n.lineage)
    WHERE p.id = ${projectId} AND l.name = ANY (${names})
    ORDER BY l.name, l.project_id`.execute(em.getKysely())

  return new Map(rows.map(({ id, name }) => [name, id]))
}
