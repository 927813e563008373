import { byteaArray, type EntityManager, query } from '../platform/database.ts'
import { groupingVersion } from './fingerprint.ts'
import type { Occurrence } from './normalise.ts'
import { keepPartition } from './partitions.ts'

export interface StoredEvent {
  projectId: number
  eventId: string
  /** Of arrival, in UTC: the partition it lies in. */
  day: string
  receivedAt: Date
  hash: Buffer
  title: { name: string; description: string; actor: string }
  occurrence: Occurrence
  payload: Buffer
}

export interface Drop {
  /** Of the envelope it came in: one that is worked again is not counted again. */
  envelopeId: string
  projectId: number
  day: string
  category: string
  reason: string
}

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

/** The group of every hash; those that nobody has seen get one of their own. */
async function findGroups(em: EntityManager, events: StoredEvent[]) {
  const wanted = new Map(events.map(event => [hashKey(event), event]))
  const groups = await lookUp(em, [...wanted.values()])
  const fresh = [...wanted].filter(([key]) => !groups.has(key)).map(([, event]) => event)

  if (fresh.length === 0) return groups
  await makeGroups(em, fresh)

  // Whoever was faster made the group, and it is committed by now.
  return new Map([...groups, ...(await lookUp(em, fresh))])
}

async function lookUp(em: EntityManager, events: StoredEvent[]) {
  const rows = await query<{ project_id: string; hash: Buffer; group_id: string }>(
    em,
    `SELECT h.project_id, h.hash, h.group_id
     FROM unnest($1::bigint[], $2::bytea[]) AS wanted (project_id, hash)
     JOIN error_hashes h USING (project_id, hash)`,
    [events.map(({ projectId }) => projectId), byteaArray(events.map(({ hash }) => hash))]
  )

  return new Map(rows.map(row => [`${row.project_id} ${row.hash.toString('hex')}`, Number(row.group_id)]))
}

async function makeGroups(em: EntityManager, events: StoredEvent[]) {
  const columns = <T>(read: (event: StoredEvent) => T) => events.map(read)

  await query(
    em,
    `WITH fresh AS MATERIALIZED (
       SELECT nextval(pg_get_serial_sequence('error_groups', 'id')) AS id, f.*
       FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
         AS f (project_id, hash, name, description, actor, platform, level, seen_at)
     ), claimed AS (
       INSERT INTO error_hashes (project_id, hash, group_id, grouping_version)
       SELECT project_id, hash, id, $9 FROM fresh ORDER BY project_id, hash
       ON CONFLICT (project_id, hash) DO NOTHING
       RETURNING group_id
     )
     INSERT INTO error_groups (id, project_id, name, description, actor, platform, level, first_seen_at, last_seen_at)
     OVERRIDING SYSTEM VALUE
     SELECT id, project_id, name, description, actor, platform, level, seen_at, seen_at
     FROM fresh JOIN claimed ON group_id = id`,
    [
      columns(event => event.projectId),
      byteaArray(columns(event => event.hash)),
      columns(event => event.title.name),
      columns(event => event.title.description),
      columns(event => event.title.actor),
      columns(event => event.occurrence.platform ?? null),
      columns(event => event.occurrence.level),
      columns(event => event.occurrence.occurredAt.toISOString()),
      groupingVersion
    ]
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

async function countDrops(em: EntityManager, drops: Drop[]) {
  const columns = <T>(read: (drop: Drop) => T) => drops.map(read)

  await query(
    em,
    `WITH dropped AS MATERIALIZED (
       SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::date[], $4::text[], $5::text[])
         AS d (envelope_id, project_id, day, category, reason)
     ), counted AS (
       INSERT INTO error_drop_marks (envelope_id) SELECT DISTINCT envelope_id FROM dropped ORDER BY 1
       ON CONFLICT DO NOTHING RETURNING envelope_id
     )
     INSERT INTO error_drops (project_id, day, category, reason, items)
     SELECT project_id, day, category, reason, count(*)
     FROM dropped JOIN counted USING (envelope_id)
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
     ON CONFLICT (project_id, day, category, reason) DO UPDATE SET items = error_drops.items + EXCLUDED.items`,
    [
      columns(drop => drop.envelopeId),
      columns(drop => drop.projectId),
      columns(drop => drop.day),
      columns(drop => drop.category),
      columns(drop => drop.reason)
    ]
  )
}

function hashKey({ projectId, hash }: StoredEvent) {
  return `${projectId} ${hash.toString('hex')}`
}

function eventKey({ projectId, eventId }: StoredEvent) {
  return `${projectId} ${eventId}`
}

function isPartitionMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }

  return code === '23514' && Boolean(message?.includes('no partition'))
}
