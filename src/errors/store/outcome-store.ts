import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'

/** Count of a category's items that were dropped, discarded by SDKs or stored on a day, with the reason. */
export interface Outcome {
  projectId: number
  day: string
  category: string
  reason: string
  /** The client key; 0 for items without one. */
  keyId: number
  items: number
}

/** Adds to the daily counts of dropped items, or of items that SDKs discarded. */
export function addOutcomes(em: EntityManager, table: 'error_dropped_counts' | 'error_client_discards', outcomes: Outcome[]) {
  return add(em, table, 'project_id, day, category, reason, key_id', outcomes)
}

/** Adds to the daily counts of stored items. */
export function addStored(em: EntityManager, outcomes: Omit<Outcome, 'reason'>[]) {
  return add(em, 'error_stored_counts', 'project_id, day, category, key_id', outcomes)
}

async function add(em: EntityManager, table: string, key: string, outcomes: Partial<Outcome>[]) {
  if (outcomes.length === 0) return
  await query(
    em,
    `INSERT INTO ${table} (${key}, items) SELECT ${key}, sum(items) FROM ${outcomeRows.source} GROUP BY ${key} ORDER BY ${key}
     ON CONFLICT (${key}) DO UPDATE SET items = ${table}.items + EXCLUDED.items`,
    outcomeRows.params(outcomes)
  )
}

const outcomeRows = rowSet<Partial<Outcome>>({
  project_id: ['bigint', ({ projectId }) => projectId],
  day: ['date', ({ day }) => day],
  category: ['text', ({ category }) => category],
  reason: ['text', ({ reason }) => reason],
  key_id: ['bigint', ({ keyId }) => keyId],
  items: ['bigint', ({ items }) => items]
})
