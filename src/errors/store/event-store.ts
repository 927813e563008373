import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { eventColumns, type GroupedEvent, type GroupedRow, groupUpdate } from './group-store.ts'

/** The envelope that stored each event, by `eventKey`. Includes the day before, for events that are resent after midnight. */
export async function findStoredEvents(em: EntityManager, events: StoredEvent[]) {
  const days = events.map(({ day }) => day).sort()
  const rows = await query<{ project_id: number; event_id: string; envelope_id: string | null }>(
    em,
    `SELECT project_id, event_id, envelope_id FROM error_events
     WHERE project_id = ANY ($1::bigint[]) AND event_id = ANY ($2::uuid[]) AND day >= $3::date - 1 AND day <= $4::date`,
    [[...new Set(events.map(({ projectId }) => projectId))], events.map(({ eventId }) => eventId), days[0], days.at(-1)]
  )

  return new Map(rows.map(row => [`${row.project_id} ${withoutDashes(row.event_id)}`, withoutDashes(row.envelope_id ?? '')]))
}

export function eventKey({ projectId, eventId }: StoredEvent) {
  return `${projectId} ${eventId}`
}

function withoutDashes(id: string) {
  return id.replaceAll('-', '')
}

/** Inserts events and updates their groups. Events that another transaction stored meanwhile are skipped. */
export async function insertEvents(em: EntityManager, events: GroupedEvent[]) {
  if (events.length === 0) return []
  const rows = events.toSorted((a, b) => a.projectId - b.projectId || (a.eventId < b.eventId ? -1 : 1))

  return query<GroupedRow>(em, insertion, eventRows.params(rows))
}

const eventRows = rowSet<GroupedEvent>({
  ...eventColumns,
  event_id: ['uuid', event => event.eventId],
  received_at: ['timestamptz', event => event.receivedAt],
  level: ['text', event => event.occurrence.level],
  platform: ['text', event => event.occurrence.platform],
  payload: ['bytea', event => event.payload],
  hash: ['bytea', event => event.hashes[0]],
  tags: ['text', joinTags]
})

const insertion = `
  WITH stored AS (
    INSERT INTO error_events (${eventRows.names})
    SELECT ${eventRows.names.replace('tags', `string_to_array(tags, E'\\x1f')`)} FROM ${eventRows.source}
    ON CONFLICT DO NOTHING
    RETURNING ${Object.keys(eventColumns)}
  ),${groupUpdate}`

/** One text per event: nested Postgres arrays must have equal lengths. */
function joinTags({ occurrence }: StoredEvent) {
  return Object.entries(occurrence.tags)
    .map(([key, value]) => `${key}=${value}`.replaceAll('\x1f', ' '))
    .join('\x1f')
}
