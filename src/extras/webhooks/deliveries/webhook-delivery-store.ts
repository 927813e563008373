import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { rowSet } from '#platform/database/row-set.ts'

export interface NewWebhookDelivery {
  webhookId: number
  eventId: number
  eventUuid: string
  eventName: string
  trigger: string
  payload: string
  sendAt: Date
}

export interface AddedDelivery {
  webhookId: number
  /** Failed when it was refused, with the reason: users can send it again. */
  status: 'waiting' | 'failed'
}

export interface DueWebhook {
  id: number
  attempts: number
  sendAt: Date
}

const rows = rowSet<NewWebhookDelivery>({
  webhook_id: ['bigint', delivery => delivery.webhookId],
  event_id: ['bigint', delivery => delivery.eventId],
  event_uuid: ['uuid', delivery => delivery.eventUuid],
  event_name: ['text', delivery => delivery.eventName],
  trigger: ['text', delivery => delivery.trigger],
  payload: ['text', delivery => delivery.payload],
  send_at: ['timestamptz', delivery => delivery.sendAt.toISOString()]
})

/** As in GitLab. */
const maxChain = 100
/** The requests about earlier events of the chain, before this event happened. Events of one request may share a chain. */
const ofChain = `FROM webhook_deliveries d WHERE d.event_uuid = given.event_uuid AND d.event_id IS DISTINCT FROM given.event_id
  AND d.created_at < event.created_at AND d.created_at > event.created_at - interval '1 hour'`

/** A webhook receives an event once. One that was deleted meanwhile receives nothing; others cannot be deleted until the transaction ends. */
export async function insertWebhookDeliveries(em: EntityManager, deliveries: NewWebhookDelivery[], maxWaiting: number) {
  if (deliveries.length === 0) return []

  return query<AddedDelivery>(
    em,
    `INSERT INTO webhook_deliveries (${rows.names}, status, response_status, response_body)
     SELECT ${rows.names}, CASE WHEN refusal IS NULL THEN 'waiting' ELSE 'failed' END, CASE WHEN refusal IS NOT NULL THEN 'internal error' END, refusal
     FROM ${rows.source} LEFT JOIN outbox event ON event.id = given.event_id CROSS JOIN LATERAL (
       SELECT CASE
         WHEN EXISTS (SELECT ${ofChain} AND d.webhook_id = given.webhook_id) THEN 'Not sent: this webhook was sent an event that led to this one.'
         WHEN (SELECT count(DISTINCT webhook_id) ${ofChain}) >= $9::integer THEN 'Not sent: the events that led to this one were sent to too many webhooks.'
         WHEN EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = given.webhook_id AND d.status = 'waiting' OFFSET $8::integer - 1)
           THEN 'Not sent: ' || $8::integer || ' requests were waiting already.'
       END AS refusal
     ) AS checked
     WHERE webhook_id IN (SELECT id FROM webhooks WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE)
     ON CONFLICT (webhook_id, event_id, trigger) DO NOTHING RETURNING webhook_id AS "webhookId", status`,
    [...rows.params(deliveries), maxWaiting, maxChain]
  )
}

/** Deliveries whose jobs were lost. */
export async function findOverdueWebhooks(em: EntityManager, before: Date, limit: number): Promise<DueWebhook[]> {
  return query<DueWebhook>(
    em,
    `SELECT id, attempts, send_at AS "sendAt" FROM webhook_deliveries
     WHERE status IN ('pending', 'sending') AND send_at < $1 ORDER BY send_at LIMIT $2`,
    [before.toISOString(), limit]
  )
}

/** Counts a failure of a webhook that did not pause when it began, and pauses it: a minute after the fourth, and twice as long after each further one, up to a day. */
export async function countFailure(em: EntityManager, webhookId: number, at: Date, failuresBeforePause: number) {
  await query(
    em,
    `UPDATE webhooks SET recent_failures = recent_failures + 1,
       disabled_until = CASE WHEN recent_failures + 1 >= $3
         THEN $2::timestamptz + interval '1 minute' * least(1440, 2 ^ least(recent_failures + 1 - $3, 11)) END
     WHERE id = $1 AND (disabled_until IS NULL OR disabled_until <= $2)`,
    [webhookId, at.toISOString(), failuresBeforePause]
  )
}

export async function forgetFailures(em: EntityManager, webhookId: number) {
  await query(em, 'UPDATE webhooks SET recent_failures = 0, disabled_until = NULL WHERE id = $1 AND recent_failures > 0', [webhookId])
}

export async function deleteOldWebhookDeliveries(em: EntityManager, at: Date) {
  const isOld = "created_at < $1::timestamptz - interval '7 days' AND status NOT IN ('waiting', 'pending', 'sending')"

  await deleteInBatches(em, { table: 'webhook_deliveries', key: 'id', where: isOld, params: [at.toISOString()] })
}

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
