import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { Span } from './read-stats.ts'

export interface KeyCount {
  day: string
  /** 0 when the key is not known. */
  keyId: number
  items: number
}

/** Received items by day and client key, optionally of one category. */
export async function readKeyStats(em: EntityManager, { projectId, keyId, since, until }: Span, category?: string): Promise<KeyCount[]> {
  const db = em.getKysely<Tables>()
  const received = (table: 'error_stored_counts' | 'error_dropped_counts') =>
    db
      .selectFrom(table)
      .select(['day', 'key_id', 'items'])
      .where('project_id', '=', projectId)
      .where('day', '>=', since)
      .where('day', '<=', until)
      .$if(keyId !== undefined, items => items.where('key_id', '=', keyId!))
      .$if(category !== undefined, items => items.where('category', '=', category!))

  return db
    .selectFrom(received('error_stored_counts').unionAll(received('error_dropped_counts')).as('received'))
    .select(e => ['day', 'key_id as keyId', e.cast<number>(e.fn.sum('items'), 'bigint').as('items')])
    .groupBy(['day', 'key_id'])
    .execute()
}
