import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { EventTable } from '../tables.ts'

export interface EventRange {
  projectId: number
  groupIds: number[]
  isAscending?: boolean
  /** Exclusive. */
  after?: [occurredAt: string, eventId: string]
  limit: number
  /** Days of receipt, inclusive. */
  from?: string
  to?: string
}

/** The first events of some groups, by time. Each group's index is read separately, and only as far as the limit. */
export function selectEvents<Column extends keyof EventTable>(em: EntityManager, range: EventRange, columns: Column[]) {
  const { projectId, groupIds, isAscending, after, limit, from, to } = range
  const direction = isAscending ? 'asc' : 'desc'
  const all = [...new Set<Column | 'occurred_at' | 'event_id'>([...columns, 'occurred_at', 'event_id'])]

  return em
    .getKysely<Tables>()
    .selectFrom(sql<{ id: number }>`unnest(${groupIds}::bigint[])`.as<'g'>(sql`g(id)`))
    .crossJoinLateral(db =>
      db
        .selectFrom('error_events')
        .select(all as 'occurred_at'[])
        .where('project_id', '=', projectId)
        .whereRef('group_id', '=', 'g.id')
        .$if(from !== undefined, events => events.where('day', '>=', from!))
        .$if(to !== undefined, events => events.where('day', '<=', to!))
        .$if(after !== undefined, events =>
          events.where(e => e(e.refTuple('occurred_at', 'event_id'), isAscending ? '>' : '<', e.tuple(new Date(after![0]), after![1])))
        )
        .orderBy('occurred_at', direction)
        .orderBy('event_id', direction)
        .limit(limit)
        .$castTo<Pick<EventTable, Column | 'occurred_at' | 'event_id'>>()
        .as('e')
    )
    .selectAll('e')
    .orderBy(sql.ref('e.occurred_at'), direction)
    .orderBy(sql.ref('e.event_id'), direction)
    .limit(limit)
}
