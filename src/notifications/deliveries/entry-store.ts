import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import { entryColumns } from '#outbox/outbox-store.ts'
import { type EntityManager, query } from '#platform/database/database.ts'

/** The entries of the outbox that a delivery is about: the most severe ones, then the oldest. */
export async function findEntries(em: EntityManager, deliveryId: number, limit: number) {
  return query<OutboxEntry>(
    em,
    `SELECT ${entryColumns} FROM outbox
     WHERE id IN (SELECT outbox_id FROM notification_delivery_entries WHERE delivery_id = $1 ORDER BY severity, outbox_id LIMIT $2)
     ORDER BY id`,
    [deliveryId, limit]
  )
}

export async function countEntries(em: EntityManager, deliveryId: number) {
  const [row] = await query<{ count: number }>(em, 'SELECT count(*) FROM notification_delivery_entries WHERE delivery_id = $1', [
    deliveryId
  ])

  return row!.count
}

export interface FirstEntry {
  entry: OutboxEntry
  /** How many entries the delivery is about. */
  total: number
}

/** The entry of the outbox that each delivery names, the oldest of the most severe ones, by the id of the delivery. */
export async function findFirstEntries(em: EntityManager, deliveryIds: number[]): Promise<Map<number, FirstEntry>> {
  const rows = await query<OutboxEntry & { deliveryId: number; total: number }>(
    em,
    `SELECT d."deliveryId", d.total, ${entryColumns}
     FROM (SELECT delivery_id AS "deliveryId", count(*) AS total, (array_agg(outbox_id ORDER BY severity, outbox_id))[1] AS first
           FROM notification_delivery_entries WHERE delivery_id = ANY ($1::bigint[]) GROUP BY delivery_id) d
     JOIN outbox ON outbox.id = d.first`,
    [deliveryIds]
  )

  return new Map(rows.map(({ deliveryId, total, ...entry }) => [deliveryId, { entry, total }]))
}
