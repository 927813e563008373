import { type EntityManager, query } from '#platform/database/database.ts'

/** The tables whose rows have an `iid` per project. */
export type CounterKind = 'alerts' | 'issues' | 'pipelines'

/**
 * The last iid of each existing project, locked until the transaction ends so that concurrent transactions cannot
 * assign the same iids.
 */
export async function lockCounters(em: EntityManager, kind: CounterKind, projectIds: number[]) {
  const distinct = [...new Set(projectIds)]
  const locked = await lockExisting(em, kind, distinct)

  if (locked.size === distinct.length) return locked
  await query(
    em,
    `INSERT INTO project_counters (project_id, kind) SELECT id, $2 FROM projects WHERE id = ANY ($1::bigint[]) ORDER BY id
     ON CONFLICT DO NOTHING`,
    [distinct, kind]
  )

  return lockExisting(em, kind, distinct)
}

/** The caller must hold the locks of `lockCounters`. */
export function setCounters(em: EntityManager, kind: CounterKind, last: [projectId: number, last: number][]) {
  return query(
    em,
    `UPDATE project_counters c SET last = n.last FROM unnest($1::bigint[], $2::bigint[]) AS n (project_id, last)
     WHERE c.project_id = n.project_id AND c.kind = $3`,
    [last.map(([projectId]) => projectId), last.map(([, number]) => number), kind]
  )
}

async function lockExisting(em: EntityManager, kind: CounterKind, projectIds: number[]) {
  const rows = await query<{ project_id: number; last: number }>(
    em,
    `SELECT project_id, last FROM project_counters WHERE project_id = ANY ($1::bigint[]) AND kind = $2
     ORDER BY project_id FOR UPDATE`,
    [projectIds, kind]
  )

  return new Map(rows.map(row => [row.project_id, row.last]))
}
