import { type EntityManager, query } from '../platform/database.ts'
import type { ErrorGroup } from './group.ts'
import type { Identity } from './grouping/identify.ts'
import type { Occurrence } from './normalise.ts'

/** An event on its way into the database. */
export interface StoredEvent {
  projectId: number
  eventId: string
  /** Of arrival, in UTC: the partition it lies in. */
  day: string
  receivedAt: Date
  /** Of its problem: the first that is known tells the group. */
  hashes: Identity['hashes']
  title: Identity['title']
  occurrence: Occurrence
  payload: Buffer
}

export interface EventRow {
  event_id: string
  occurred_at: Date
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
export async function listEvents(em: EntityManager, group: ErrorGroup, { isAscending, after, limit }: Page) {
  const [direction, beyond] = isAscending ? ['ASC', '>'] : ['DESC', '<']

  const rows = await query<EventRow>(
    em,
    `SELECT event_id, occurred_at, level, environment, release, platform, payload
     FROM error_events
     WHERE project_id = $1 AND group_id = $2 ${after ? `AND (occurred_at, event_id) ${beyond} ($4, $5)` : ''}
     ORDER BY occurred_at ${direction}, event_id ${direction}
     LIMIT $3`,
    [group.projectId, group.id, limit, ...(after ?? [])]
  )

  // The driver of the ORM leaves times as the database spells them.
  return rows.map(row => ({ ...row, occurred_at: new Date(row.occurred_at) }))
}
