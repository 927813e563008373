import { type EntityManager, query } from '#platform/database/database.ts'
import { lockTransaction } from '#platform/database/locks.ts'
import type { Webhook } from '../webhook.ts'
import type { DueWebhook } from './webhook-delivery-store.ts'

/** The bounds of requests to webhooks, in all workers together. */
export interface TurnLimits {
  /** Requests at a time of a project, of a group, or of all system hooks. */
  perOwner: number
  perWebhook: number
  /** 0 is no limit. */
  perMinute: number
}

/** Where a webhook is. */
type WebhookOwner = Pick<Webhook, 'projectId' | 'groupId'>

const minuteMs = 60_000
/** An attempt is shorter. One that was begun earlier was cut short. */
const sending = `status = 'sending' AND updated_at > $2::timestamptz - interval '1 minute'`

/** Whether a request of the webhook may be sent now, besides those that are being sent. */
export async function mayStart(em: EntityManager, webhook: Webhook, deliveryId: number, limits: TurnLimits, at: Date) {
  await lockOwner(em, webhook)
  const [active] = await query<{ ofOwner: number; ofWebhook: number }>(
    em,
    `SELECT count(*) AS "ofOwner", count(*) FILTER (WHERE webhook_id = $3) AS "ofWebhook" FROM webhook_deliveries
     WHERE webhook_id IN (${webhooksOf(webhook)}) AND ${sending} AND id <> $4`,
    [idOf(webhook), at.toISOString(), webhook.id, deliveryId]
  )

  return active!.ofOwner < limits.perOwner && active!.ofWebhook < limits.perWebhook
}

/** Counts a request; false when there were too many in this minute. */
export async function countCall(em: EntityManager, webhookId: number, { perMinute }: Pick<TurnLimits, 'perMinute'>, at: Date) {
  const counted = await query(
    em,
    `UPDATE webhooks SET calls = CASE WHEN calls_minute >= $2 THEN calls + 1 ELSE 1 END, calls_minute = greatest(calls_minute, $2)
     WHERE id = $1 AND ($3 = 0 OR calls < $3 OR calls_minute IS NULL OR calls_minute < $2) RETURNING id`,
    [webhookId, minuteOf(at), perMinute]
  )

  return counted.length > 0
}

export function nextMinute(at: Date) {
  return new Date((Math.floor(at.getTime() / minuteMs) + 1) * minuteMs)
}

/** Lets the oldest waiting requests begin, as many as have a turn. Their jobs are to be enqueued. */
export async function startWaiting(em: EntityManager, webhookIds: number[], limits: TurnLimits, at: Date) {
  const due: DueWebhook[] = []

  for (const owner of await findOwners(em, webhookIds)) {
    due.push(...(await em.fork().transactional(em => admitOf(em, owner, limits, at))))
  }

  return due
}

/** Webhooks whose requests wait though none is being sent: the worker that had to admit them was killed, or a pause or a minute is over. */
export async function findStalledWebhooks(em: EntityManager, at: Date) {
  const rows = await query<{ id: number }>(
    em,
    `SELECT w.id FROM webhooks w WHERE (w.disabled_until IS NULL OR w.disabled_until <= $1)
       AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'waiting' AND d.send_at <= $1)
       AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status IN ('pending', 'sending') AND d.send_at <= $1)`,
    [at.toISOString()]
  )

  return rows.map(({ id }) => id)
}

async function findOwners(em: EntityManager, webhookIds: number[]) {
  return query<WebhookOwner>(em, 'SELECT DISTINCT project_id AS "projectId", group_id AS "groupId" FROM webhooks WHERE id = ANY ($1)', [
    webhookIds
  ])
}

async function admitOf(em: EntityManager, owner: WebhookOwner, { perOwner, perWebhook, perMinute }: TurnLimits, at: Date) {
  await lockOwner(em, owner)

  return query<DueWebhook>(
    em,
    `WITH active AS (
       SELECT webhook_id, count(*) AS number FROM webhook_deliveries
       WHERE webhook_id IN (${webhooksOf(owner)}) AND (${sending} OR (status = 'pending' AND send_at <= $2)) GROUP BY webhook_id
     ), free AS (
       SELECT w.id, greatest(0, $4 - coalesce(a.number, 0)) AS number FROM webhooks w LEFT JOIN active a ON a.webhook_id = w.id
       WHERE w.id IN (${webhooksOf(owner)}) AND (w.disabled_until IS NULL OR w.disabled_until <= $2)
         AND ($5 = 0 OR w.calls < $5 OR w.calls_minute IS NULL OR w.calls_minute < $6)
     )
     UPDATE webhook_deliveries SET status = 'pending', send_at = $2 WHERE id IN (
       SELECT next.id FROM free CROSS JOIN LATERAL (
         SELECT d.id FROM webhook_deliveries d WHERE d.webhook_id = free.id AND d.status = 'waiting' AND d.send_at <= $2 ORDER BY d.id LIMIT free.number
       ) next ORDER BY next.id LIMIT greatest(0, $3 - (SELECT coalesce(sum(number), 0) FROM active))
     ) RETURNING id, attempts, send_at AS "sendAt"`,
    [idOf(owner), at.toISOString(), perOwner, perWebhook, perMinute, minuteOf(at)]
  )
}

function lockOwner(em: EntityManager, { projectId, groupId }: WebhookOwner) {
  return lockTransaction(em, `webhooks of ${projectId ?? ''}/${groupId ?? ''}`)
}

/** `$1` is the id of the owner. */
function webhooksOf({ projectId, groupId }: WebhookOwner) {
  const where = projectId ? 'project_id = $1' : groupId ? 'group_id = $1' : '$1::bigint = 0 AND project_id IS NULL AND group_id IS NULL'

  return `SELECT id FROM webhooks WHERE ${where}`
}

function idOf({ projectId, groupId }: WebhookOwner) {
  return projectId ?? groupId ?? 0
}

function minuteOf(at: Date) {
  return new Date(nextMinute(at).getTime() - minuteMs).toISOString()
}
