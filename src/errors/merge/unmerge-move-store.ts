import { type EntityManager, query } from '#platform/database/database.ts'
import { chunkParams, chunkSize, type Move, moveNextChunk } from './move-store.ts'

/**
 * Moves some events with the hashes and updates the counts of both groups. Returns whether all are moved. Counts of deleted
 * events stay with the old group, as their hashes are unknown. Locks both groups first, in the same order as batches.
 */
export async function moveUnmergedChunk(em: EntityManager, move: Move) {
  await query(em, 'SELECT FROM error_groups WHERE id IN ($1, $2) ORDER BY id FOR NO KEY UPDATE', [move.fromId, move.toId])
  const [row] = await query<{ count: number }>(em, moveAndCount, chunkParams(move))
  const isLast = row!.count < chunkSize

  if (isLast) await recomputeOldGroup(em, move)

  return isLast
}

const moveAndCount = `
  WITH ${moveNextChunk}, hours AS (
    SELECT date_trunc('hour', occurred_at, 'UTC') AS hour, count(*) AS events FROM moved GROUP BY 1
  ), old_tally AS (
    UPDATE error_hourly_counts t SET events = t.events - hours.events FROM hours
    WHERE t.project_id = $1 AND t.group_id = $2 AND t.hour = hours.hour
  ), new_tally AS (
    INSERT INTO error_hourly_counts (project_id, group_id, hour, events) SELECT $1, $3, hour, events FROM hours ORDER BY hour
    ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = error_hourly_counts.events + EXCLUDED.events
  ), new_users AS (
    INSERT INTO error_users (group_id, user_hash) SELECT DISTINCT $3::bigint, user_hash FROM moved WHERE user_hash IS NOT NULL ORDER BY 2
    ON CONFLICT DO NOTHING RETURNING 1
  ), sum AS (
    SELECT count(*) AS events, min(occurred_at) AS first, max(occurred_at) AS last,
           (array_agg(release ORDER BY occurred_at) FILTER (WHERE release IS NOT NULL))[1] AS first_release,
           (array_agg(release ORDER BY occurred_at DESC) FILTER (WHERE release IS NOT NULL))[1] AS last_release,
           coalesce(array_agg(DISTINCT release) FILTER (WHERE release IS NOT NULL), '{}') AS releases,
           coalesce(array_agg(DISTINCT environment) FILTER (WHERE environment IS NOT NULL), '{}') AS environments
    FROM moved
  ), counted AS (
    UPDATE error_groups g SET
      events = g.events + CASE g.id WHEN $3 THEN sum.events ELSE -sum.events END,
      users = g.users + CASE g.id WHEN $3 THEN (SELECT count(*) FROM new_users) ELSE 0 END,
      first_seen_at = CASE g.id WHEN $3 THEN least(g.first_seen_at, sum.first) ELSE g.first_seen_at END,
      last_seen_at = CASE g.id WHEN $3 THEN greatest(g.last_seen_at, sum.last) ELSE g.last_seen_at END,
      first_release = CASE g.id WHEN $3 THEN coalesce(sum.first_release, g.first_release) ELSE g.first_release END,
      last_release = CASE g.id WHEN $3 THEN coalesce(g.last_release, sum.last_release) ELSE g.last_release END,
      releases = CASE g.id WHEN $3 THEN (ARRAY(SELECT DISTINCT r FROM unnest(g.releases || sum.releases) r ORDER BY r))[1:200] ELSE g.releases END,
      environments = CASE g.id WHEN $3 THEN (ARRAY(SELECT DISTINCT e FROM unnest(g.environments || sum.environments) e ORDER BY e))[1:50] ELSE g.environments END
    FROM sum WHERE g.id IN ($2, $3)
  )
  SELECT count(*) FROM chunk`

/** Recomputes the users and times of the old group from its remaining events. */
async function recomputeOldGroup(em: EntityManager, { projectId, fromId, toId }: Move) {
  const params = [projectId, fromId]

  await query(em, 'DELETE FROM error_hourly_counts WHERE project_id = $1 AND group_id = $2 AND events <= 0', params)
  await query(
    em,
    `WITH deleted AS (
       DELETE FROM error_users u WHERE group_id = $2 AND user_hash IN (SELECT user_hash FROM error_users WHERE group_id = $3)
         AND NOT EXISTS (SELECT FROM error_events e WHERE e.project_id = $1 AND e.group_id = $2 AND e.user_hash = u.user_hash)
       RETURNING 1
     )
     UPDATE error_groups SET users = users - (SELECT count(*) FROM deleted) WHERE id = $2`,
    [...params, toId]
  )
  await query(
    em,
    `UPDATE error_groups SET
       last_seen_at = coalesce(left_over.last, last_seen_at),
       first_seen_at = CASE WHEN tally.first < date_trunc('hour', left_over.first, 'UTC') THEN greatest(first_seen_at, tally.first)
                       ELSE coalesce(left_over.first, first_seen_at) END
     FROM (SELECT min(occurred_at) AS first, max(occurred_at) AS last FROM error_events WHERE project_id = $1 AND group_id = $2) AS left_over,
          (SELECT min(hour) AS first FROM error_hourly_counts WHERE project_id = $1 AND group_id = $2) AS tally
     WHERE id = $2`,
    params
  )
}
