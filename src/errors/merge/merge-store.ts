import { type EntityManager, query } from '#platform/database/database.ts'

export async function hasMoves(em: EntityManager, groupIds: number[]) {
  const rows = await query(em, 'SELECT FROM error_moves WHERE from_id = ANY ($1::bigint[]) OR to_id = ANY ($1::bigint[]) LIMIT 1', [
    groupIds
  ])

  return rows.length > 0
}

/** Merges counts, hashes and comments, and creates the moves of events and users. */
export async function mergeInto(em: EntityManager, id: number, mergedIds: number[]) {
  await query(em, 'SELECT FROM error_groups WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE', [[id, ...mergedIds]])
  for (const statement of mergeStatements) await query(em, statement, [id, mergedIds])

  return startMoves(em, id, mergedIds)
}

const mergeStatements = [
  'UPDATE error_hashes SET group_id = $1 WHERE group_id = ANY ($2::bigint[])',
  'UPDATE error_comments SET group_id = $1 WHERE group_id = ANY ($2::bigint[])',
  `WITH deleted AS (DELETE FROM error_tags WHERE group_id = ANY ($2::bigint[]) RETURNING project_id, tag, seen_on)
   INSERT INTO error_tags (project_id, tag, group_id, seen_on)
   SELECT project_id, tag, $1::bigint, max(seen_on) FROM deleted GROUP BY 1, 2 ORDER BY 1, 2
   ON CONFLICT DO NOTHING`,
  `WITH deleted AS (
     DELETE FROM error_hourly_counts t USING error_groups g
     WHERE g.id = ANY ($2::bigint[]) AND t.project_id = g.project_id AND t.group_id = g.id
     RETURNING t.project_id, t.hour, t.events
   )
   INSERT INTO error_hourly_counts (project_id, group_id, hour, events)
   SELECT project_id, $1, hour, sum(events) FROM deleted GROUP BY project_id, hour ORDER BY hour
   ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = error_hourly_counts.events + EXCLUDED.events`,
  `UPDATE error_groups g SET
     events = g.events + sum.events,
     ignored_until_events = g.ignored_until_events + sum.events,
     ignored_until_users = g.ignored_until_users + sum.users,
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
     SELECT sum(events) AS events, sum(users) AS users, min(first_seen_at) AS first, max(last_seen_at) AS last,
            (array_agg(first_release ORDER BY first_seen_at) FILTER (WHERE first_release IS NOT NULL))[1] AS first_release,
            (array_agg(last_release ORDER BY last_seen_at DESC) FILTER (WHERE last_release IS NOT NULL))[1] AS last_release
     FROM error_groups WHERE id = ANY ($2::bigint[])
   ) AS sum
   WHERE g.id = $1`,
  // Groups that were merged into one of them follow.
  'UPDATE error_groups SET merged_into = $1 WHERE id = ANY ($2::bigint[]) OR merged_into = ANY ($2::bigint[])'
]

async function startMoves(em: EntityManager, id: number, mergedIds: number[]) {
  const rows = await query<{ id: number; total: number }>(
    em,
    `WITH emptied AS (UPDATE error_groups SET events = 0, users = 0 WHERE id = ANY ($2::bigint[]))
     INSERT INTO error_moves (project_id, from_id, to_id, total)
     SELECT project_id, id, $1, events FROM error_groups WHERE id = ANY ($2::bigint[]) ORDER BY id
     RETURNING id, total`,
    [id, mergedIds]
  )

  return rows.map(row => ({ id: row.id, events: row.total }))
}
