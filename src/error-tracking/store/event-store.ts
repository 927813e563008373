import { byteaArray, type EntityManager, query } from '../../platform/database/database.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { findGroups, hashKey } from '../groups/load-groups.ts'
import { folding, type StoredRow, toArrivals } from './aggregate-events.ts'
import type { Count } from './outcome-counts.ts'
import { regress } from './regress-groups.ts'

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

/** Stores events that are not known yet, and adds them to their groups; part of its caller's transaction. */
export async function storeEvents(em: EntityManager, events: StoredEvent[], at: Date): Promise<Stored> {
  if (events.length === 0) return { keeps: [], duplicates: [], news: [] }
  const groups = await findGroups(em, events)
  const known = await findKnown(em, events)
  const fresh = events.filter(event => !known.has(eventKey(event)))
  const rows = await insertEvents(em, fresh, groups)
  const keeps = rows.map(row => ({ projectId: Number(row.project_id), day: row.day, category: 'error', items: Number(row.items) }))
  const isComplete = keeps.reduce((sum, { items }) => sum + items, 0) === fresh.length

  await regress(em, toArrivals(rows), at)

  return {
    keeps,
    // Another worker may have stored the same event meanwhile.
    duplicates: duplicatesAmong(events, isComplete ? known : await findKnown(em, events)),
    news: await findNews(em, events, groups)
  }
}

/** Told by the envelopes that made them so, and thus the same when a batch is worked again. */
export async function findNews(em: EntityManager, events: StoredEvent[], groups: Map<string, number>): Promise<News[]> {
  const envelopes = new Set(events.map(({ envelopeId }) => envelopeId))
  const rows = await query<{ id: string; project_id: string; origin_envelope: string | null; regressed_by: string | null }>(
    em,
    `SELECT id, project_id, origin_envelope, regressed_by FROM error_groups
     WHERE id = ANY ($1::bigint[]) AND (origin_envelope = ANY ($2::uuid[]) OR regressed_by = ANY ($2::uuid[]))`,
    [[...new Set(groups.values())], [...envelopes]]
  )

  return rows.flatMap(row => {
    const news = (kind: News['kind'], madeBy: string | null) => {
      const envelopeId = madeBy?.replaceAll('-', '') ?? ''

      return envelopes.has(envelopeId) ? [{ groupId: Number(row.id), projectId: Number(row.project_id), kind, envelopeId }] : []
    }

    return [...news('new', row.origin_envelope), ...news('regressed', row.regressed_by)]
  })
}

/** A batch that is worked again meets its own events; those are no duplicates, as long as an envelope has each only once. */
function duplicatesAmong(events: StoredEvent[], known: Map<string, string | null>) {
  const first = new Map<string, string>()
  const seen = new Set<string>()

  return events.flatMap(event => {
    const key = eventKey(event)
    const before = known.get(key) ?? first.get(key)

    const isAgain = seen.has(`${key} ${event.envelopeId}`)

    first.set(key, before ?? event.envelopeId)
    seen.add(`${key} ${event.envelopeId}`)
    if (!isAgain && (!before || before === event.envelopeId)) return []

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

/** The events, and what they mean for their groups: in one statement. */
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
  ),${folding}`

function eventKey({ projectId, eventId }: StoredEvent) {
  return `${projectId} ${eventId}`
}
