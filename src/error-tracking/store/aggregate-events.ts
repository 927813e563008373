import type { Arrival } from './regress-groups.ts'

/** What a statement with `folding` says of each group, by day of arrival. */
export interface StoredRow {
  project_id: string
  group_id: string
  day: string
  items: string
  last: string
  releases: string[]
  origin: string
  is_whole: boolean
}

/** Somebody removed a group while its events were on their way: they have to look again. */
export class GroupGone extends Error {
  override name = 'GroupGone'
}

/** Whoever affects more people than this is not told apart from them any more. */
const mostUsers = 100_000

/**
 * The rest of a statement that begins with `WITH stored AS (…)`: what events mean for the hours, people and releases of
 * their groups, and for these themselves. The groups are locked before anything is added to them, as the outer SELECT
 * wants to know how many there are.
 */
export const folding = `
  tallied AS (
    INSERT INTO error_tallies (project_id, group_id, hour, events)
    SELECT project_id, group_id, date_trunc('hour', occurred_at, 'UTC') AS hour, count(*)
    FROM stored GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = error_tallies.events + EXCLUDED.events
  ), met AS (
    INSERT INTO error_users (group_id, user_hash)
    SELECT DISTINCT group_id, user_hash FROM stored JOIN error_groups g ON g.id = group_id AND g.users < ${mostUsers}
    WHERE user_hash IS NOT NULL ORDER BY 1, 2
    ON CONFLICT DO NOTHING
    RETURNING group_id
  ), released AS (
    INSERT INTO error_releases (project_id, version, first_seen_at, last_seen_at)
    SELECT project_id, release, min(occurred_at), max(occurred_at) FROM stored s
    WHERE release IS NOT NULL AND NOT EXISTS (
      SELECT FROM error_releases r
      WHERE r.project_id = s.project_id AND r.version = s.release AND r.last_seen_at > s.occurred_at - interval '5 minutes')
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (project_id, version) DO UPDATE SET last_seen_at = greatest(error_releases.last_seen_at, EXCLUDED.last_seen_at)
  ), seen AS (
    SELECT group_id, project_id, count(*) AS events, min(occurred_at) AS first, max(occurred_at) AS last,
           coalesce(array_agg(DISTINCT environment) FILTER (WHERE environment IS NOT NULL), '{}') AS environments,
           coalesce(array_agg(DISTINCT release) FILTER (WHERE release IS NOT NULL), '{}') AS releases,
           (array_agg(release ORDER BY occurred_at) FILTER (WHERE release IS NOT NULL))[1] AS first_release,
           (array_agg(release ORDER BY occurred_at DESC) FILTER (WHERE release IS NOT NULL))[1] AS last_release,
           (array_agg(envelope_id ORDER BY occurred_at))[1] AS origin
    FROM stored GROUP BY 1, 2
  ), locked AS MATERIALIZED (
    SELECT id FROM error_groups WHERE id IN (SELECT group_id FROM seen) ORDER BY id FOR NO KEY UPDATE
  ), updated AS (
    UPDATE error_groups g
    SET events = g.events + seen.events,
        users = g.users + (SELECT count(*) FROM met WHERE met.group_id = g.id),
        origin_envelope = coalesce(g.origin_envelope, seen.origin),
        first_seen_at = least(g.first_seen_at, seen.first),
        last_seen_at = greatest(g.last_seen_at, seen.last),
        first_release = CASE WHEN seen.first < g.first_seen_at THEN coalesce(seen.first_release, g.first_release)
          ELSE coalesce(g.first_release, seen.first_release) END,
        last_release = CASE WHEN seen.last >= g.last_seen_at THEN coalesce(seen.last_release, g.last_release) ELSE g.last_release END,
        environments = CASE WHEN g.environments @> seen.environments THEN g.environments
          ELSE (SELECT array_agg(DISTINCT e) FROM unnest(g.environments || seen.environments) e)[1:50] END,
        releases = CASE WHEN g.releases @> seen.releases THEN g.releases
          ELSE (SELECT array_agg(DISTINCT r) FROM unnest(g.releases || seen.releases) r)[1:200] END
    FROM locked JOIN seen ON seen.group_id = locked.id
    WHERE g.id = locked.id
  )
  SELECT s.project_id, s.group_id, s.day::text, count(*) AS items, max(seen.last) AS last, seen.releases, seen.origin,
         (SELECT count(*) FROM locked) = (SELECT count(*) FROM seen) AS is_whole
  FROM stored s JOIN seen USING (group_id) GROUP BY 1, 2, 3, seen.releases, seen.origin`

/** What came into which group; throws when one was gone. */
export function toArrivals(rows: StoredRow[]): Arrival[] {
  if (!rows.every(row => row.is_whole)) throw new GroupGone()

  return rows.map(row => ({
    groupId: Number(row.group_id),
    projectId: Number(row.project_id),
    lastAt: new Date(row.last),
    releases: row.releases,
    envelopeId: row.origin
  }))
}
