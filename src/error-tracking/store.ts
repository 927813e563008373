import { byteaArray, type EntityManager, query } from '../platform/database.ts'
import { countDrops, type Drop } from './drops.ts'
import { findGroups, hashKey } from './find-groups.ts'
import type { StoredEvent } from './occurrence.ts'
import { keepPartition } from './partitions.ts'

/**
 * Writes a batch in one transaction of a few statements, each with its rows in the order of their
 * keys, so that two workers may wait for each other but never for ever.
 */
export async function storeEvents(em: EntityManager, events: StoredEvent[], drops: Drop[]) {
  try {
    await em.transactional(em => storeAll(em, events, drops))
  } catch (error) {
    if (!isPartitionMissing(error)) throw error
    for (const day of new Set(events.map(({ day }) => day))) await keepPartition(em, day)
    await em.transactional(em => storeAll(em, events, drops))
  }
}

async function storeAll(em: EntityManager, events: StoredEvent[], drops: Drop[]) {
  if (drops.length > 0) await countDrops(em, drops)
  if (events.length === 0) return
  const groups = await findGroups(em, events)
  const known = await findKnown(em, events)

  await insertEvents(
    em,
    events.filter(event => !known.has(eventKey(event))),
    groups
  )
}

/** Within a day the primary key tells an event that came before; this is for one that comes again after midnight. */
async function findKnown(em: EntityManager, events: StoredEvent[]) {
  const days = events.map(({ day }) => day).sort()
  const rows = await query<{ project_id: string; event_id: string }>(
    em,
    `SELECT project_id, event_id FROM error_events
     WHERE project_id = ANY ($1::bigint[]) AND event_id = ANY ($2::uuid[]) AND day >= $3::date - 1 AND day < $4::date`,
    [[...new Set(events.map(({ projectId }) => projectId))], events.map(({ eventId }) => eventId), days[0], days.at(-1)]
  )

  return new Set(rows.map(row => `${row.project_id} ${row.event_id.replaceAll('-', '')}`))
}

async function insertEvents(em: EntityManager, events: StoredEvent[], groups: Map<string, number>) {
  if (events.length === 0) return
  const sorted = events.toSorted((a, b) => a.projectId - b.projectId || (a.eventId < b.eventId ? -1 : 1))
  const columns = <T>(read: (event: StoredEvent) => T) => sorted.map(read)

  await query(
    em,
    `WITH stored AS (
       INSERT INTO error_events
         (project_id, group_id, event_id, day, occurred_at, received_at, level, environment, release, platform, payload)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::date[], $5::timestamptz[], $6::timestamptz[],
                            $7::text[], $8::text[], $9::text[], $10::text[], $11::bytea[])
       ON CONFLICT DO NOTHING
       RETURNING project_id, group_id, occurred_at
     ), tallied AS (
       INSERT INTO error_tallies (project_id, group_id, hour, events)
       SELECT project_id, group_id, date_trunc('hour', occurred_at, 'UTC') AS hour, count(*)
       FROM stored GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
       ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = error_tallies.events + EXCLUDED.events
     ), locked AS MATERIALIZED (
       SELECT id FROM error_groups WHERE id IN (SELECT group_id FROM stored) ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE error_groups g
     SET events = g.events + seen.events,
         first_seen_at = least(g.first_seen_at, seen.first),
         last_seen_at = greatest(g.last_seen_at, seen.last)
     FROM locked JOIN (
       SELECT group_id, count(*) AS events, min(occurred_at) AS first, max(occurred_at) AS last FROM stored GROUP BY group_id
     ) seen ON seen.group_id = locked.id
     WHERE g.id = locked.id`,
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
      byteaArray(columns(event => event.payload))
    ]
  )
}

function eventKey({ projectId, eventId }: StoredEvent) {
  return `${projectId} ${eventId}`
}

function isPartitionMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }

  return code === '23514' && Boolean(message?.includes('no partition'))
}
