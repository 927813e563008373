import { type EntityManager, query } from '../platform/database/database.ts'

/** What is numbered within its project. */
export type Counted = 'alerts' | 'issues'

/**
 * The last number given out in each of these projects, as far as it still exists, held until the transaction ends:
 * whoever gives out the next ones does so alone.
 */
export async function lockCounters(em: EntityManager, kind: Counted, projectIds: number[]) {
  const wanted = [...new Set(projectIds)]
  const locked = await lockThere(em, kind, wanted)

  if (locked.size === wanted.length) return locked
  await query(
    em,
    `INSERT INTO project_counters (project_id, kind) SELECT id, $2 FROM projects WHERE id = ANY ($1::bigint[]) ORDER BY id
     ON CONFLICT DO NOTHING`,
    [wanted, kind]
  )

  return lockThere(em, kind, wanted)
}

/** To be called by whoever holds them. */
export function moveCounters(em: EntityManager, kind: Counted, last: [projectId: number, last: number][]) {
  return query(
    em,
    `UPDATE project_counters c SET last = n.last FROM unnest($1::bigint[], $2::bigint[]) AS n (project_id, last)
     WHERE c.project_id = n.project_id AND c.kind = $3`,
    [last.map(([projectId]) => projectId), last.map(([, number]) => number), kind]
  )
}

async function lockThere(em: EntityManager, kind: Counted, projectIds: number[]) {
  const rows = await query<{ project_id: string; last: string }>(
    em,
    `SELECT project_id, last FROM project_counters WHERE project_id = ANY ($1::bigint[]) AND kind = $2
     ORDER BY project_id FOR UPDATE`,
    [projectIds, kind]
  )

  return new Map(rows.map(row => [Number(row.project_id), Number(row.last)]))
}
