import { byteaArray, type EntityManager, query } from '../platform/database.ts'
import { findGroups, hashKey } from './find-groups.ts'
import type { Count } from './items/counts.ts'
import type { StoredEvent } from './occurrence.ts'
import { type Arrival, regress } from './regress.ts'

export interface Stored {
  /** By project and day of arrival. */
  keeps: Omit<Count, 'reason'>[]
  /** Events that came before in another envelope. */
  duplicates: (Count & { envelopeId: string })[]
  /** Groups that nobody had seen before, and those that came back. */
  news: News[]
}

export interface News {
  groupId: number
  projectId: number
  kind: 'new' | 'regressed'
  /** That made it so. */
  envelopeId: string
}

/** Somebody removed a group while its events were on their way: they have to look again. */
export class GroupGone extends Error {
  override name = 'GroupGone'
}

/** Stores events that are not known yet, and adds them to their groups; part of its caller's transaction. */
export async function storeEvents(em: EntityManager, events: StoredEvent[], at: Date): Promise<Stored> {
  if (events.length === 0) return { keeps: [], duplicates: [], news: [] }
  const groups = await findGroups(em, events)
  const known = await findKnown(em, events)
  const fresh = events.filter(event => !known.has(eventKey(event)))
  const rows = await insertEvents(em, fresh, groups)

  if (!rows.every(row => row.is_whole)) throw new GroupGone()
  const keeps = rows.map(row => ({ projectId: Number(row.project_id), day: row.day, category: 'error', items: Number(row.items) }))
  const isComplete = keeps.reduce((sum, { items }) => sum + items, 0) === fresh.length

  await regress(em, rows.map(toArrival), at)

  return {
    keeps,
    // Another worker may have stored the same event meanwhile.
    duplicates: duplicatesAmong(events, isComplete ? known : await findKnown(em, events)),
    news: await findNews(em, events, groups)
  }
}

function toArrival(row: StoredRow): Arrival {
  return {
    groupId: Number(row.group_id),
    projectId: Number(row.project_id),
    lastAt: new Date(row.last),
    releases: row.releases,
    envelopeId: row.origin
  }
}

/** Told by the envelopes that made them so, and thus the same when a batch is worked again. */
async function findNews(em: EntityManager, events: StoredEvent[], groups: Map<string, number>): Promise<News[]> {
  const rows = await query<{ id: string; project_id: string; new_by: string | null; regressed_by: string | null }>(
    em,
    `SELECT id, project_id, CASE WHEN origin_envelope = ANY ($2::uuid[]) THEN origin_envelope END AS new_by, regressed_by FROM error_groups
     WHERE id = ANY ($1::bigint[]) AND (origin_envelope = ANY ($2::uuid[]) OR regressed_by = ANY ($2::uuid[]))`,
    [[...new Set(groups.values())], events.map(({ envelopeId }) => envelopeId)]
  )

  return rows.map(row => ({
    groupId: Number(row.id),
    projectId: Number(row.project_id),
    kind: row.new_by ? 'new' : 'regressed',
    envelopeId: (row.new_by ?? row.regressed_by)!.replaceAll('-', '')
  }))
}

/** A batch that is worked again meets its own events; those are no duplicates. */
function duplicatesAmong(events: StoredEvent[], known: Map<string, string | null>) {
  const first = new Map<string, string>()

  return events.flatMap(event => {
    const key = eventKey(event)
    const before = known.get(key) ?? first.get(key)

    first.set(key, event.envelopeId)
    if (!before || before === event.envelopeId) return []

    return [{ envelopeId: event.envelopeId, projectId: event.projectId, day: event.day, category: 'error', reason: 'duplicate', items: 1 }]
  })
}

/** Events that came before, also before midnight, each with the envelope it came in. */
async function findKnown(em: EntityManager, events: StoredEvent[]) {
  const days = events.map(({ day }) => day).sort()
  const rows = await query<{ project_id: string; event_id: string; envelope_id: string | null }>(
    em,
    `SELECT project_id, event_id, envelope_id FROM error_events
     WHERE project_id = ANY ($1::bigint[]) AND event_id = ANY ($2::uuid[]) AND day >= $3::date - 1 AND day <= $4::date`,
    [[...new Set(events.map(({ projectId }) => projectId))], events.map(({ eventId }) => eventId), days[0], days.at(-1)]
  )

  return new Map(rows.map(row => [`${row.project_id} ${row.event_id.replaceAll('-', '')}`, row.envelope_id?.replaceAll('-', '') ?? null]))
}

async function insertEvents(em: EntityManager, events: StoredEvent[], groups: Map<string, number>) {
  if (events.length === 0) return []
  const sorted = events.toSorted((a, b) => a.projectId - b.projectId || (a.eventId < b.eventId ? -1 : 1))
  const columns = <T>(read: (event: StoredEvent) => T) => sorted.map(read)

  return query<StoredRow>(em, insertion, [
    columns(event => event.projectId),
    columns(event => groups.get(hashKey(event))),
    columns(event => event.eventId),
    columns(event => event.day),
    columns(event => event.occurrence.occurredAt.toISOString()),
    columns(event => event.receivedAt.toISOString()),
    columns(event => event.occurrence.level),
    columns(event => event.occurrence.environment ?? null),
    columns(event => event.occurrence.release ?? null),
    columns(event => event.occurrence.platform ?? null),
    byteaArray(columns(event => event.payload)),
    columns(event => event.envelopeId),
    byteaArray(columns(event => event.hashes[0]!)),
    columns(event => event.occurrence.user?.hash.readBigInt64BE().toString() ?? null),
    columns(event => tagsAsText(event))
  ])
}

/** One text for all tags of an event, as Postgres has no lists of lists of different lengths. */
function tagsAsText({ occurrence }: StoredEvent) {
  return Object.entries(occurrence.tags)
    .map(([key, value]) => `${key}=${value}`.replaceAll('\x1f', ' '))
    .join('\x1f')
}

interface StoredRow {
  project_id: string
  group_id: string
  day: string
  items: string
  last: string
  releases: string[]
  origin: string
  is_whole: boolean
}

/**
 * The events, their hours, their people, their releases, and what all that means for their groups: in one statement.
 * The groups are locked before anything is added to them, as the outer SELECT wants to know how many there are.
 */
const insertion = `
  WITH stored AS (
    INSERT INTO error_events
      (project_id, group_id, event_id, day, occurred_at, received_at, level, environment, release, platform, payload,
       envelope_id, hash, user_hash, tags)
    SELECT project_id, group_id, event_id, day, occurred_at, received_at, level, environment, release, platform, payload,
           envelope_id, hash, user_hash, string_to_array(tags, E'\x1f')
    FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::date[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[],
                $9::text[], $10::text[], $11::bytea[], $12::uuid[], $13::bytea[], $14::bigint[], $15::text[])
      AS e (project_id, group_id, event_id, day, occurred_at, received_at, level, environment, release, platform, payload,
            envelope_id, hash, user_hash, tags)
    ON CONFLICT DO NOTHING
    RETURNING project_id, group_id, occurred_at, day, environment, release, user_hash, envelope_id
  ), tallied AS (
    INSERT INTO error_tallies (project_id, group_id, hour, events)
    SELECT project_id, group_id, date_trunc('hour', occurred_at, 'UTC') AS hour, count(*)
    FROM stored GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = error_tallies.events + EXCLUDED.events
  ), met AS (
    INSERT INTO error_users (group_id, user_hash)
    SELECT DISTINCT group_id, user_hash FROM stored WHERE user_hash IS NOT NULL ORDER BY 1, 2
    ON CONFLICT DO NOTHING
    RETURNING group_id
  ), released AS (
    INSERT INTO error_releases (project_id, version, first_seen_at, last_seen_at)
    SELECT project_id, release, min(occurred_at), max(occurred_at) FROM stored s
    WHERE release IS NOT NULL AND NOT EXISTS (SELECT FROM error_releases r WHERE r.project_id = s.project_id AND r.version = s.release)
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT DO NOTHING
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
        first_release = coalesce(g.first_release, seen.first_release),
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

function eventKey({ projectId, eventId }: StoredEvent) {
  return `${projectId} ${eventId}`
}
