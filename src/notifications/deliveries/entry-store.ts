import type { OutboxEntry } from '../../outbox/outbox-entry.ts'
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

export interface FirstEntry {
  entry: OutboxEntry
  /** How many entries the delivery is about. */
  total: number
}

/** The first entry of the outbox that each delivery is about, by the id of the delivery. */
export async function findFirstEntries(em: EntityManager, deliveryIds: number[]): Promise<Map<number, FirstEntry>> {
  const rows = await query<OutboxRow & { deliveryId: string; total: string }>(
    em,
    `SELECT d."deliveryId", d.total, ${entryColumns}
     FROM (SELECT delivery_id AS "deliveryId", count(*) AS total, min(outbox_id) AS first
           FROM notification_delivery_entries WHERE delivery_id = ANY ($1::bigint[]) GROUP BY delivery_id) d
     JOIN outbox ON outbox.id = d.first`,
    [deliveryIds]
  )

  return new Map(rows.map(({ deliveryId, total, ...row }) => [Number(deliveryId), { entry: toEntry(row), total: Number(total) }]))
}
