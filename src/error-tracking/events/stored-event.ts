import { type EntityManager, query } from '../../platform/database/database.ts'
import type { Grouping } from '../grouping/group-event.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { lotsOf } from '../merge/move-chunks.ts'
import type { EventFields } from '../normalise/event-fields.ts'
import { type Days, daysToSearch } from './event-days.ts'

/** An event on its way into the database. */
export interface StoredEvent {
  projectId: number
  envelopeId: string
  eventId: string
  /** Of arrival, in UTC: the partition it lies in. */
  day: string
  receivedAt: Date
  /** Of its problem: the first that is known tells the group. */
  hashes: Grouping['hashes']
  title: Grouping['title']
  /** No more of it than this: a batch of whole events held at once is work for the garbage collector. */
  occurrence: EventFields
  payload: Buffer
}

const day = 24 * 60 * 60 * 1000

export interface EventRow {
  event_id: string
  occurred_at: Date
  received_at: Date
  tags: string[]
  level: string
  environment: string | null
  release: string | null
  platform: string | null
  payload: Buffer
}

interface Page {
  isAscending: boolean
  after?: [occurredAt: string, eventId: string]
  limit: number
}

/** The stored events of a group, in the order they happened or the other way round. */
export async function listEvents(em: EntityManager, group: ErrorGroup, page: Page) {
  const lots = await lotsOf(em, group)
  let rows: EventRow[] = []

  for (const days of daysOf(group, page)) {
    rows = await listEventsOf(em, group.projectId, lots, page, days)
    if (days.isEnough(rows.length === page.limit ? rows.at(-1)!.occurred_at : undefined)) break
  }

  return rows
}

/** Where to look for a page of a group's events: first in twice the days in which so many of them came, were they spread evenly. */
export function daysOf({ firstSeenAt, lastSeenAt, events }: ErrorGroup, { isAscending, after, limit }: Page) {
  const start = after ? new Date(after[0]) : isAscending ? firstSeenAt : lastSeenAt
  const lifetime = (lastSeenAt.getTime() - firstSeenAt.getTime()) / day

  return daysToSearch(start, isAscending, Math.ceil((2 * limit * lifetime) / events) + 1, lifetime)
}

async function listEventsOf(em: EntityManager, projectId: number, lots: number[], { isAscending, after, limit }: Page, { from, to }: Days) {
  const [direction, beyond] = isAscending ? ['ASC', '>'] : ['DESC', '<']
  const params: unknown[] = [projectId, lots, limit]
  const bound = (value: unknown) => `$${params.push(value)}`
  const conditions = [
    ...(from ? [`day >= ${bound(from)}::date`] : []),
    ...(to ? [`day <= ${bound(to)}::date`] : []),
    ...(after ? [`(occurred_at, event_id) ${beyond} (${bound(after[0])}::timestamptz, ${bound(after[1])}::uuid)`] : [])
  ]

  const rows = await query<EventRow>(
    em,
    `SELECT e.* FROM unnest($2::bigint[]) AS lot (id) CROSS JOIN LATERAL (
       SELECT ${columns}
       FROM error_events
       WHERE ${['project_id = $1', 'group_id = lot.id', ...conditions].join(' AND ')}
       ORDER BY occurred_at ${direction}, event_id ${direction}
       LIMIT $3
     ) AS e
     ORDER BY occurred_at ${direction}, event_id ${direction}
     LIMIT $3`,
    params
  )

  return rows.map(withTimes)
}

const columns = 'event_id, occurred_at, received_at, level, environment, release, platform, tags, payload'

/** One event of a group: by its id, the latest or the oldest. */
export async function findEvent(em: EntityManager, group: ErrorGroup, which: string) {
  if (which === 'latest' || which === 'oldest') {
    const [row] = await listEvents(em, group, { isAscending: which === 'oldest', limit: 1 })
    return row
  }
  const [row] = await query<EventRow>(
    em,
    `SELECT ${columns} FROM error_events WHERE project_id = $1 AND group_id = ANY ($2::bigint[]) AND event_id = $3`,
    [group.projectId, await lotsOf(em, group), which.replaceAll('-', '')]
  )

  return row && withTimes(row)
}

/** The ids of the events before and after this one. */
export async function neighbours(em: EntityManager, group: ErrorGroup, { occurred_at, event_id }: EventRow) {
  const after: [string, string] = [occurred_at.toISOString(), event_id]
  const [[previous], [next]] = [
    await listEvents(em, group, { isAscending: false, after, limit: 1 }),
    await listEvents(em, group, { isAscending: true, after, limit: 1 })
  ]

  return { previous: previous?.event_id, next: next?.event_id }
}

// The driver of the ORM leaves times as the database spells them.
function withTimes(row: EventRow): EventRow {
  return { ...row, occurred_at: new Date(row.occurred_at), received_at: new Date(row.received_at) }
}
