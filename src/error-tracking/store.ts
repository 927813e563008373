import { byteaArray, type EntityManager, query } from '../platform/database.ts'
import { findGroups, hashKey } from './find-groups.ts'
import type { Count } from './items/counts.ts'
import type { StoredEvent } from './occurrence.ts'

export interface Stored {
  /** By project and day of arrival. */
  keeps: Omit<Count, 'reason'>[]
  /** Events that came before in another envelope. */
  duplicates: (Count & { envelopeId: string })[]
}

/** Stores events that are not known yet, and adds them to their groups; part of its caller's transaction. */
export async function storeEvents(em: EntityManager, events: StoredEvent[]): Promise<Stored> {
  if (events.length === 0) return { keeps: [], duplicates: [] }
  const groups = await findGroups(em, events)
  const known = await findKnown(em, events)
  const fresh = events.filter(event => !known.has(eventKey(event)))
  const keeps = await insertEvents(em, fresh, groups)
  const isComplete = keeps.reduce((sum, { items }) => sum + items, 0) === fresh.length

  // Another worker may have stored the same event meanwhile.
  return { keeps, duplicates: duplicatesAmong(events, isComplete ? known : await findKnown(em, events)) }
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

  const rows = await query<{ project_id: string; day: string; items: string }>(
    em,
    `WITH stored AS (
       INSERT INTO error_events
         (project_id, group_id, event_id, day, occurred_at, received_at, level, environment, release, platform, payload, envelope_id)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::date[], $5::timestamptz[], $6::timestamptz[],
                            $7::text[], $8::text[], $9::text[], $10::text[], $11::bytea[], $12::uuid[])
       ON CONFLICT DO NOTHING
       RETURNING project_id, group_id, occurred_at, day
     ), tallied AS (
       INSERT INTO error_tallies (project_id, group_id, hour, events)
       SELECT project_id, group_id, date_trunc('hour', occurred_at, 'UTC') AS hour, count(*)
       FROM stored GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
       ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = error_tallies.events + EXCLUDED.events
     ), locked AS MATERIALIZED (
       SELECT id FROM error_groups WHERE id IN (SELECT group_id FROM stored) ORDER BY id FOR NO KEY UPDATE
     )
     , grouped AS (
     UPDATE error_groups g
     SET events = g.events + seen.events,
         first_seen_at = least(g.first_seen_at, seen.first),
         last_seen_at = greatest(g.last_seen_at, seen.last)
     FROM locked JOIN (
       SELECT group_id, count(*) AS events, min(occurred_at) AS first, max(occurred_at) AS last FROM stored GROUP BY group_id
     ) seen ON seen.group_id = locked.id
     WHERE g.id = locked.id
     )
     SELECT project_id, day::text, count(*) AS items FROM stored GROUP BY 1, 2`,
    [
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
      columns(event => event.envelopeId)
    ]
  )

  return rows.map(row => ({ projectId: Number(row.project_id), day: row.day, category: 'error', items: Number(row.items) }))
}

function eventKey({ projectId, eventId }: StoredEvent) {
  return `${projectId} ${eventId}`
}
