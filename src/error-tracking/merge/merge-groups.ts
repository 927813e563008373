import { Conflict, ValidationFailed } from '../../http/problems/problems.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { claimProject } from './lock-projects.ts'

/**
 * Folds other groups into one. All that is counted goes along at once, and so do their hashes; their events and users,
 * which may be millions, follow in steps: returns the moves that are to be made. An id that leads here already is no news.
 * Within a transaction.
 */
export async function mergeGroups(em: EntityManager, { id, projectId }: ErrorGroup, fingerprints: number[]) {
  await claimProject(em, projectId)
  const others = await resolve(em, projectId, id, fingerprints)

  if (others.length === 0) return []
  await refuseOnTheWay(em, [id, ...others])
  await query(em, 'SELECT FROM error_groups WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE', [[id, ...others]])
  for (const statement of folding) await query(em, statement, [id, others])

  return startMoves(em, id, others)
}

/** While events of a group are on their way, it stays as it is: what goes where would depend on how far they are. */
export async function refuseOnTheWay(em: EntityManager, ids: number[]) {
  const rows = await query(em, 'SELECT FROM error_moves WHERE from_id = ANY ($1::bigint[]) OR to_id = ANY ($1::bigint[]) LIMIT 1', [ids])

  if (rows.length > 0) throw new Conflict('Events are still on their way from an earlier merge or unmerge; try again when it is done')
}

/** The groups that these ids lead to, except to the one that they are merged into. */
async function resolve(em: EntityManager, projectId: number, into: number, fingerprints: number[]) {
  const rows = await query<{ id: string; leads_to: string }>(
    em,
    'SELECT id, coalesce(merged_into, id) AS leads_to FROM error_groups WHERE project_id = $1 AND id = ANY ($2::bigint[])',
    [projectId, [into, ...fingerprints]]
  )
  const known = new Map(rows.map(row => [Number(row.id), Number(row.leads_to)]))
  const unknown = fingerprints.filter(id => !known.has(id))

  if (unknown.length > 0) throw new ValidationFailed({ fingerprints: [`${unknown.join(', ')} not found in this project`] })
  if (known.get(into) !== into) throw new Conflict('The error was merged into another meanwhile')

  return [...new Set(known.values())].filter(id => id !== into)
}

const folding = [
  'UPDATE error_hashes SET group_id = $1 WHERE group_id = ANY ($2::bigint[])',
  'UPDATE error_comments SET group_id = $1 WHERE group_id = ANY ($2::bigint[])',
  `WITH taken AS (
     DELETE FROM error_tallies t USING error_groups g
     WHERE g.id = ANY ($2::bigint[]) AND t.project_id = g.project_id AND t.group_id = g.id
     RETURNING t.project_id, t.hour, t.events
   )
   INSERT INTO error_tallies (project_id, group_id, hour, events)
   SELECT project_id, $1, hour, sum(events) FROM taken GROUP BY project_id, hour ORDER BY hour
   ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = error_tallies.events + EXCLUDED.events`,
  `UPDATE error_groups g SET
     events = g.events + sum.events,
     ignored_until_events = g.ignored_until_events + sum.events,
     first_seen_at = least(g.first_seen_at, sum.first),
     last_seen_at = greatest(g.last_seen_at, sum.last),
     first_release = CASE WHEN sum.first < g.first_seen_at THEN coalesce(sum.first_release, g.first_release)
                     ELSE coalesce(g.first_release, sum.first_release) END,
     last_release = CASE WHEN sum.last > g.last_seen_at THEN coalesce(sum.last_release, g.last_release)
                    ELSE coalesce(g.last_release, sum.last_release) END,
     environments = (ARRAY(SELECT DISTINCT e FROM error_groups o, unnest(o.environments) e
                           WHERE o.id = g.id OR o.id = ANY ($2::bigint[]) ORDER BY e))[1:50],
     releases = (ARRAY(SELECT DISTINCT r FROM error_groups o, unnest(o.releases) r
                       WHERE o.id = g.id OR o.id = ANY ($2::bigint[]) ORDER BY r))[1:200]
   FROM (
     SELECT sum(events) AS events, min(first_seen_at) AS first, max(last_seen_at) AS last,
            (array_agg(first_release ORDER BY first_seen_at) FILTER (WHERE first_release IS NOT NULL))[1] AS first_release,
            (array_agg(last_release ORDER BY last_seen_at DESC) FILTER (WHERE last_release IS NOT NULL))[1] AS last_release
     FROM error_groups WHERE id = ANY ($2::bigint[])
   ) AS sum
   WHERE g.id = $1`,
  // What led to one of them leads on.
  'UPDATE error_groups SET merged_into = $1 WHERE id = ANY ($2::bigint[]) OR merged_into = ANY ($2::bigint[])'
]

async function startMoves(em: EntityManager, id: number, others: number[]) {
  const rows = await query<{ id: string; total: string }>(
    em,
    `WITH emptied AS (UPDATE error_groups SET events = 0, users = 0 WHERE id = ANY ($2::bigint[]))
     INSERT INTO error_moves (project_id, from_id, to_id, total)
     SELECT project_id, id, $1, events FROM error_groups WHERE id = ANY ($2::bigint[]) ORDER BY id
     RETURNING id, total`,
    [id, others]
  )

  return rows.map(row => ({ id: Number(row.id), events: Number(row.total) }))
}
