import { storableText } from '#lib/storable-text.ts'
import { type EntityManager, query } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { type RowColumns, rowSet } from '#platform/database/row-set.ts'

/** Something that webhooks hear of. */
export interface NewWebhookEvent {
  kind: 'issue' | 'note' | 'push' | 'audit' | 'pipeline' | 'job'
  projectId?: number | null
  /** Of a project, its namespace: the project may be gone when webhooks are looked for. */
  groupId?: number | null
  actorId?: number | null
  data: Record<string, unknown>
  /** Deduplicates: an event with a known key is dropped. */
  key?: string
  /** The UUID of the event that led to it. */
  chain?: string | undefined
}

export interface WebhookEvent extends NewWebhookEvent {
  id: number
  uuid: string
  createdAt: Date
}

const columns: RowColumns<NewWebhookEvent> = {
  kind: ['text', ({ kind }) => kind],
  project_id: ['bigint', ({ projectId }) => projectId],
  group_id: ['bigint', ({ groupId }) => groupId],
  actor_id: ['bigint', ({ actorId }) => actorId],
  data: ['jsonb', ({ data }) => JSON.stringify(data)],
  key: ['text', ({ key }) => key],
  uuid: ['uuid', ({ chain }) => chain]
}
const rows = rowSet(columns)

/** Whether there is any webhook, so that others need not collect what changed. */
export async function hasWebhooks(em: EntityManager) {
  return (await query(em, 'SELECT 1 FROM webhooks LIMIT 1')).length > 0
}

/** Writes events in the caller's transaction, as `addToOutbox`; nothing while there are no webhooks. Events of one chain have one UUID. */
export async function addWebhookEvent(em: EntityManager, ...events: NewWebhookEvent[]) {
  if (events.length === 0) return
  await query(
    em,
    `WITH added AS (
       INSERT INTO webhook_events (${rows.names})
       SELECT kind, project_id, coalesce(group_id, (SELECT p.namespace_id FROM projects p WHERE p.id = given.project_id)), actor_id, data, key, coalesce(uuid, gen_random_uuid())
       FROM ${rows.source} WHERE EXISTS (SELECT FROM webhooks)
       ON CONFLICT (key) DO NOTHING RETURNING id
     )
     SELECT pg_notify(current_schema() || '_outbox', '') FROM added LIMIT 1`,
    rows.params(events)
  )
}

/** As `takeFromOutbox`. */
export async function takeWebhookEvents(em: EntityManager, limit: number): Promise<WebhookEvent[]> {
  const rows = await query<WebhookEvent>(
    em,
    `UPDATE webhook_events SET dispatched_at = now()
     WHERE id IN (SELECT id FROM webhook_events WHERE dispatched_at IS NULL AND (retry_at IS NULL OR retry_at <= now()) ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING id, uuid, kind, project_id AS "projectId", group_id AS "groupId", actor_id AS "actorId", data, created_at AS "createdAt"`,
    [limit]
  )

  return rows.sort((a, b) => a.id - b.id)
}

const maxFailures = 10

/** Tries an event that was taken again: after a minute, and twice as long after each failure, up to some eight hours in all. */
export async function postponeWebhookEvent(em: EntityManager, id: number, reason: string) {
  await query(
    em,
    `UPDATE webhook_events SET failures = failures + 1, failure = left($2, 1000), retry_at = now() + interval '1 minute' * 2 ^ failures,
       dispatched_at = CASE WHEN failures + 1 >= $3 THEN dispatched_at END
     WHERE id = $1`,
    [id, storableText(reason), maxFailures]
  )
}

/** Undispatched events are kept longer: workers may have been down, or webhooks off. */
export async function deleteOldWebhookEvents(em: EntityManager, at: Date) {
  const isOld = "created_at < $1::timestamptz - CASE WHEN dispatched_at IS NULL THEN interval '30 days' ELSE interval '7 days' END"

  await deleteInBatches(em, { table: 'webhook_events', key: 'id', where: isOld, params: [at.toISOString()] })
}
