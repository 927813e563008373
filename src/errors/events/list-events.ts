import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { Keyset } from '#platform/database/list.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { findEventGroupIds } from '../merge/pending-moves.ts'
import type { EventTable } from '../tables.ts'
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

const facts = ['event_id', 'occurred_at', 'level', 'environment', 'release', 'tags'] satisfies (keyof EventTable)[]

/** What a list shows of an event. */
export type EventFacts = Pick<EventTable, (typeof facts)[number]>

export type EventPosition = [occurredAt: string, eventId: string]

interface Page {
  isAscending: boolean
  after?: EventPosition | undefined
  limit: number
}

/** A group's stored events by time. */
export function listEvents(em: EntityManager, group: ErrorGroup, isAscending = false) {
  return {
    kinds: ['time', 'uuid'],
    positionOf,
    read: ({ isBackwards = false, ...page }): Promise<EventRow[]> =>
      readPage(em, group, { ...page, isAscending: isAscending !== isBackwards }, columns)
  } satisfies Keyset<EventRow, EventPosition>
}

/** A group's stored events without what they contain, newest first. */
export function listEventFacts(em: EntityManager, group: ErrorGroup) {
  return {
    kinds: ['time', 'uuid'],
    positionOf,
    read: ({ isBackwards = false, ...page }): Promise<EventFacts[]> => readPage(em, group, { ...page, isAscending: isBackwards }, facts)
  } satisfies Keyset<EventFacts, EventPosition>
}

async function readPage<Column extends keyof EventTable>(em: EntityManager, group: ErrorGroup, page: Page, selected: Column[]) {
  const groupIds = await findEventGroupIds(em, group)
  let rows: Pick<EventTable, Column | 'occurred_at' | 'event_id'>[] = []

  for (const { from, to, isComplete } of dayRanges(group, page)) {
    const range = { projectId: group.projectId, groupIds, ...page, from, to }

    rows = (await selectEvents(em, range, selected).execute()) as unknown as typeof rows
    if (isComplete(rows.length === page.limit ? rows.at(-1)!.occurred_at : undefined)) break
  }

  return rows
}

/** An event of a group by its id, `latest` or `oldest`. */
export async function findEvent(em: EntityManager, group: ErrorGroup, id: string): Promise<EventRow | undefined> {
  if (id === 'latest' || id === 'oldest') return (await listEvents(em, group, id === 'oldest').read({ limit: 1 }))[0]

  return (await findEvents(em, group, [id]))[0]
}

/** The events of a group with these ids, in no particular order. */
export async function findEvents(em: EntityManager, group: ErrorGroup, ids: string[]): Promise<EventRow[]> {
  if (ids.length === 0) return []

  return em
    .getKysely<Tables>()
    .selectFrom('error_events')
    .select(columns)
    .where('project_id', '=', group.projectId)
    .where('group_id', 'in', await findEventGroupIds(em, group))
    .where('event_id', 'in', ids)
    .execute()
}

/** Counting stops here. */
export const maxCounted = 1000

/** The ids of the events before and after an event, the nearest first. */
export async function findNeighbours(em: EntityManager, group: ErrorGroup, event: EventRow, limit = maxCounted) {
  const after = positionOf(event)
  const idsOf = async (isAscending: boolean) =>
    (await readPage(em, group, { isAscending, after, limit }, ['event_id'])).map(({ event_id: id }) => id)

  return { older: await idsOf(false), newer: await idsOf(true) }
}

export function positionOf(event: Pick<EventRow, 'occurred_at' | 'event_id'>): EventPosition {
  return [event.occurred_at.toISOString(), event.event_id]
}
