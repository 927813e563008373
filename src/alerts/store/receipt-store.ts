import { type EntityManager, query } from '#platform/database/database.ts'
import type { Receipt } from './aggregate-alerts.ts'

/** The receipts of requests that were processed before, by request id. */
export async function findReceipts(em: EntityManager, requests: { id: string }[]) {
  const rows = await query<{ id: string; answer: Receipt }>(em, 'SELECT id, answer FROM alert_requests WHERE id = ANY ($1::uuid[])', [
    requests.map(({ id }) => id)
  ])

  return new Map(rows.map(({ id, answer }) => [id.replaceAll('-', ''), answer]))
}

export function storeReceipts(em: EntityManager, receipts: [string, Receipt][]) {
  return query(em, 'INSERT INTO alert_requests (id, answer) SELECT * FROM unnest($1::uuid[], $2::jsonb[]) ORDER BY 1', [
    receipts.map(([id]) => id),
    receipts.map(([, receipt]) => JSON.stringify(receipt))
  ])
}

/** After two days neither clients nor the queue repeat a request. */
export function deleteOldReceipts(em: EntityManager, at: Date) {
  return query(em, `DELETE FROM alert_requests WHERE answered_at < $1::timestamptz - interval '2 days'`, [at])
}
