import type { EntityManager } from '../../platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { findEventGroupIds } from '../merge/pending-moves.ts'
import type { ErrorTables, EventTable } from '../tables.ts'
import { dayRanges } from './event-days.ts'
import { selectEvents } from './select-events.ts'

const columns = [
  'event_id',
  'occurred_at',
  'received_at',
  'level',
  'environment',
  'release',
  'platform',
  'tags',
  'payload'
] satisfies (keyof EventTable)[]

export type EventRow = Pick<EventTable, (typeof columns)[number]>

interface Page {
  isAscending: boolean
  after?: [occurredAt: string, eventId: string]
  limit: number
}

/** A page of a group's stored events by time. */
export async function listEvents(em: EntityManager, group: ErrorGroup, page: Page) {
  const groupIds = await findEventGroupIds(em, group)
  let rows: EventRow[] = []

  for (const { from, to, isComplete } of dayRanges(group, page)) {
    rows = await selectEvents(em, { projectId: group.projectId, groupIds, ...page, from, to }, columns).execute()
    if (isComplete(rows.length === page.limit ? new Date(rows.at(-1)!.occurred_at) : undefined)) break
  }

  return rows
}

/** An event of a group by its id, `latest` or `oldest`. */
export async function findEvent(em: EntityManager, group: ErrorGroup, id: string): Promise<EventRow | undefined> {
  if (id === 'latest' || id === 'oldest') return (await listEvents(em, group, { isAscending: id === 'oldest', limit: 1 }))[0]

  return em
    .getKysely<ErrorTables>()
    .selectFrom('error_events')
    .select(columns)
    .where('project_id', '=', group.projectId)
    .where('group_id', 'in', await findEventGroupIds(em, group))
    .where('event_id', '=', id)
    .executeTakeFirst()
}

/** The ids of the events before and after an event. */
export async function findNeighbours(em: EntityManager, group: ErrorGroup, event: EventRow) {
  const after = positionOf(event)
  const [previous] = await listEvents(em, group, { isAscending: false, after, limit: 1 })
  const [next] = await listEvents(em, group, { isAscending: true, after, limit: 1 })

  return { previous: previous?.event_id, next: next?.event_id }
}

export function positionOf(event: EventRow): [occurredAt: string, eventId: string] {
  return [new Date(event.occurred_at).toISOString(), event.event_id]
}
