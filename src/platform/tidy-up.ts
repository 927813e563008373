import { type EntityManager, query } from './database.ts'

const expired = [
  `DELETE FROM receipts WHERE created_at < now() - interval '10 minutes'`,
  `DELETE FROM processes WHERE seen_at < now() - interval '1 day'`,
  `DELETE FROM sessions WHERE expires_at < now()`,
  `DELETE FROM error_drop_marks WHERE counted_at < now() - interval '2 days'`
]

/** Deletes what has served its time. */
export async function removeExpired(em: EntityManager) {
  for (const statement of expired) await query(em, statement)
}
