import { type EntityManager, query } from '#platform/database/database.ts'
import { type RowColumns, rowSet } from '#platform/database/row-set.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { type GroupIds, hashKey } from '../grouping/assign-groups.ts'
import type { GroupChange } from '../jobs.ts'
import type { GroupArrival } from './regress-groups.ts'

export type GroupedEvent = StoredEvent & { groupId: number }

/** The columns of an event that update its group. */
export const eventColumns: RowColumns<GroupedEvent> = {
  project_id: ['bigint', event => event.projectId],
  group_id: ['bigint', event => event.groupId],
  day: ['date', event => event.day],
  occurred_at: ['timestamptz', event => event.occurrence.occurredAt],
  environment: ['text', event => event.occurrence.environment],
  release: ['text', event => event.occurrence.release],
  envelope_id: ['uuid', event => event.envelopeId],
  user_hash: ['bigint', event => event.occurrence.user?.hash.readBigInt64BE().toString()]
}

/** A row of a statement that ends with `groupUpdate`: the new events of one group on one day of receipt. */
export interface GroupedRow {
  project_id: number
  group_id: number
  day: string
  items: number
  last: Date
  releases: string[]
  origin: string
  has_all_groups: boolean
}

/** A group was deleted after events were assigned to it. Retry the transaction. */
export class GroupDeleted extends Error {
  override name = 'GroupDeleted'
}

export function toArrivals(rows: GroupedRow[]): GroupArrival[] {
  if (!rows.every(row => row.has_all_groups)) throw new GroupDeleted()

  return rows.map(row => ({
    groupId: row.group_id,
    projectId: row.project_id,
    lastAt: row.last,
    releases: row.releases,
    envelopeId: row.origin
  }))
}

/** Adds events to their groups without storing them. */
export function addToGroups(em: EntityManager, events: StoredEvent[], groups: GroupIds) {
  const rows = events.map(event => ({ ...event, groupId: groups.get(hashKey(event))! }))

  return query<GroupedRow>(em, counting, eventRows.params(rows))
}

/** Limits the counted users of a group. */
const maxUsers = 100_000

/**
 * The rest of a statement that begins with `WITH stored AS (…),`: updates hourly counts, users, releases and groups. Groups
 * are locked first, because the outer SELECT compares their number with that of the groups in the batch.
 */
export const groupUpdate = `
  tally AS (
    INSERT INTO error_hourly_counts (project_id, group_id, hour, events)
    SELECT project_id, group_id, date_trunc('hour', occurred_at, 'UTC') AS hour, count(*)
    FROM stored GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = error_hourly_counts.events + EXCLUDED.events
  ), new_users AS (
    INSERT INTO error_users (group_id, user_hash)
    SELECT DISTINCT group_id, user_hash FROM stored JOIN error_groups g ON g.id = group_id AND g.users < ${maxUsers}
    WHERE user_hash IS NOT NULL ORDER BY 1, 2
    ON CONFLICT DO NOTHING
    RETURNING group_id
  ), seen_releases AS (
    INSERT INTO error_releases (project_id, version, first_seen_at, last_seen_at)
    SELECT project_id, release, min(occurred_at), max(occurred_at) FROM stored s
    WHERE release IS NOT NULL AND NOT EXISTS (
      SELECT FROM error_releases r
      WHERE r.project_id = s.project_id AND r.version = s.release AND r.last_seen_at > s.occurred_at - interval '5 minutes')
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (project_id, version) DO UPDATE SET last_seen_at = greatest(error_releases.last_seen_at, EXCLUDED.last_seen_at)
  ), batch AS (
    SELECT group_id, project_id, count(*) AS events, min(occurred_at) AS first, max(occurred_at) AS last,
           coalesce(array_agg(DISTINCT environment) FILTER (WHERE environment IS NOT NULL), '{}') AS environments,
           coalesce(array_agg(DISTINCT release) FILTER (WHERE release IS NOT NULL), '{}') AS releases,
           (array_agg(release ORDER BY occurred_at) FILTER (WHERE release IS NOT NULL))[1] AS first_release,
           (array_agg(release ORDER BY occurred_at DESC) FILTER (WHERE release IS NOT NULL))[1] AS last_release,
           (array_agg(envelope_id ORDER BY occurred_at))[1] AS origin
    FROM stored GROUP BY 1, 2
  ), locked AS MATERIALIZED (
    SELECT id FROM error_groups WHERE id IN (SELECT group_id FROM batch) ORDER BY id FOR NO KEY UPDATE
  ), updated AS (
    UPDATE error_groups g
    SET events = g.events + batch.events,
        users = g.users + (SELECT count(*) FROM new_users u WHERE u.group_id = g.id),
        origin_envelope = coalesce(g.origin_envelope, batch.origin),
        first_seen_at = least(g.first_seen_at, batch.first),
        last_seen_at = greatest(g.last_seen_at, batch.last),
        first_release = CASE WHEN batch.first < g.first_seen_at THEN coalesce(batch.first_release, g.first_release)
          ELSE coalesce(g.first_release, batch.first_release) END,
        last_release = CASE WHEN batch.last >= g.last_seen_at THEN coalesce(batch.last_release, g.last_release) ELSE g.last_release END,
        environments = CASE WHEN g.environments @> batch.environments THEN g.environments
          ELSE (SELECT array_agg(DISTINCT e) FROM unnest(g.environments || batch.environments) e)[1:50] END,
        releases = CASE WHEN g.releases @> batch.releases THEN g.releases
          ELSE (SELECT array_agg(DISTINCT r) FROM unnest(g.releases || batch.releases) r)[1:200] END
    FROM locked JOIN batch ON batch.group_id = locked.id
    WHERE g.id = locked.id
  )
  SELECT s.project_id, s.group_id, s.day, count(*) AS items, max(batch.last) AS last, batch.releases, batch.origin,
         (SELECT count(*) FROM locked) = (SELECT count(*) FROM batch) AS has_all_groups
  FROM stored s JOIN batch USING (group_id) GROUP BY 1, 2, 3, batch.releases, batch.origin`

const eventRows = rowSet(eventColumns)
const counting = `WITH stored AS (SELECT * FROM ${eventRows.source}),${groupUpdate}`

/** Finds the groups that these events created or reopened. A repeated job gets the same result. */
export async function findGroupChanges(em: EntityManager, events: StoredEvent[], groups: GroupIds): Promise<GroupChange[]> {
  const envelopes = new Set(events.map(({ envelopeId }) => envelopeId))

  return query<GroupChange>(em, changes, [[...new Set(groups.values())], [...envelopes]])
}

const changes = `
  SELECT id AS "groupId", project_id AS "projectId", kind, replace(envelope::text, '-', '') AS "envelopeId"
  FROM error_groups, LATERAL (VALUES ('new', origin_envelope), ('regressed', regressed_by)) AS change (kind, envelope)
  WHERE id = ANY ($1::bigint[]) AND envelope = ANY ($2::uuid[]) ORDER BY id, kind`
