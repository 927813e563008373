import { entryColumns, type OutboxRow, toEntry } from '../../outbox/outbox-store.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'

/** The first entries of the outbox that a delivery is about. */
export async function findEntries(em: EntityManager, deliveryId: number, limit: number, after = 0) {
  const rows = await query<OutboxRow>(
    em,
    `SELECT ${entryColumns} FROM outbox
     WHERE id IN (SELECT outbox_id FROM notification_delivery_entries WHERE delivery_id = $1 AND outbox_id > $3 ORDER BY outbox_id LIMIT $2)
     ORDER BY id`,
    [deliveryId, limit, after]
  )

  return rows.map(toEntry)
}

export async function countEntries(em: EntityManager, deliveryId: number) {
  const [row] = await query<{ count: string }>(em, 'SELECT count(*) FROM notification_delivery_entries WHERE delivery_id = $1', [
    deliveryId
  ])

  return Number(row!.count)
}
