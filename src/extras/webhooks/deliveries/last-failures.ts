import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'

export interface WebhookFailure {
  deliveryId: number
  /** A status code, or `internal error`. */
  status: string
  /** How the answer begins. */
  answer: string
  at: Date
}

/** The newest request of each webhook that was not accepted. */
export async function findLastFailures(em: EntityManager, webhookIds: number[]): Promise<Map<number, WebhookFailure>> {
  if (webhookIds.length === 0) return new Map()
  const { rows } = await sql<WebhookFailure & { webhookId: number }>`
    SELECT w.id AS "webhookId", d.id AS "deliveryId", d.response_status AS status, d.answer, d.updated_at AS at
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT id, response_status, coalesce(left(response_body, 160), '') AS answer, updated_at FROM webhook_deliveries
      WHERE webhook_id = w.id AND response_status NOT LIKE '2%' ORDER BY id DESC LIMIT 1
    ) d
    WHERE w.id = ANY (${webhookIds}::bigint[])`.execute(em.getKysely())

  return new Map(rows.map(({ webhookId, ...failure }) => [webhookId, failure]))
}
