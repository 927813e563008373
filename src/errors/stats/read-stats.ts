import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'

type Reasons = Record<string, number>

/** Outcomes of the items of one category on one day. */
export interface DayStats {
  day: string
  category: string
  received: number
  stored: number
  dropped: number
  /** Dropped items by reason. */
  drops: Reasons
  /** Items that SDKs discarded before sending, by reason; not included in `received`. */
  losses: Reasons
}

export interface Span {
  projectId: number
  /** Only items of this client key. */
  keyId?: number
  /** Days in UTC, inclusive. */
  since: string
  until: string
}

/** Counts by day and category, newest first. `received` is the sum of `stored` and `dropped`, so the counts always agree. */
export async function readStats(em: EntityManager, span: Span) {
  const stats = new Map<string, DayStats>()

  for (const row of await findOutcomes(em, span)) {
    const { day, category } = row
    const key = `${day} ${category}`
    const dayStats = stats.get(key) ?? { day, category, received: 0, stored: 0, dropped: 0, drops: {}, losses: {} }

    stats.set(key, dayStats)
    add(dayStats, row.kind, row.reason, row.items)
  }

  return [...stats.values()]
}

type Kind = 'stored' | 'dropped' | 'lost'

function add(stats: DayStats, kind: Kind, reason: string, items: number) {
  if (kind === 'lost') {
    stats.losses[reason] = items
    return
  }
  stats.received += items
  stats[kind] += items
  if (kind === 'dropped') stats.drops[reason] = items
}

function findOutcomes(em: EntityManager, { projectId, keyId, since, until }: Span) {
  const db = em.getKysely<Tables>()
  const outcomes = (table: 'error_stored_counts' | 'error_dropped_counts' | 'error_client_discards', kind: Kind) =>
    db
      .selectFrom(table)
      .select(e => ['category', e.cast<number>(e.fn.sum('items'), 'bigint').as('items')])
      .select(['day', sql<Kind>`${kind}::text`.as('kind')])
      .select((table === 'error_stored_counts' ? sql<string>`''` : sql.ref<string>('reason')).as('reason'))
      .where('project_id', '=', projectId)
      .where('day', '>=', since)
      .where('day', '<=', until)
      .$if(keyId !== undefined, items => items.where('key_id', '=', keyId!))
      .groupBy(table === 'error_stored_counts' ? ['day', 'category'] : ['day', 'category', sql.ref('reason')])
      .having(e => e.fn.sum('items'), '<>', 0)

  return outcomes('error_stored_counts', 'stored')
    .unionAll(outcomes('error_dropped_counts', 'dropped'))
    .unionAll(outcomes('error_client_discards', 'lost'))
    .orderBy('day', 'desc')
    .orderBy('category')
    .orderBy('kind')
    .orderBy('reason')
    .execute()
}
