import { storableText } from '#lib/storable-text.ts'
import { type EntityManager, query } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { type RowColumns, rowSet } from '#platform/database/row-set.ts'
import type { NewMail, NewOutboxEntry, NewWebhookEvent, OutboxEntry, OutboxMail, WebhookEvent } from './outbox-entry.ts'

/** What each consumer of the outbox takes. */
interface Consumers {
  notifications: OutboxEntry
  mail: OutboxMail
  webhooks: WebhookEvent
}

type Consumer = keyof Consumers

interface Row {
  consumer: Consumer
  kind: string
  projectId?: number | null
  groupId?: number | null
  subjectId?: number
  actorId?: number | null
  data?: object
  key?: string
  chain?: string | undefined
}

const columns: RowColumns<Row> = {
  consumer: ['text', ({ consumer }) => consumer],
  kind: ['text', ({ kind }) => kind],
  project_id: ['bigint', ({ projectId }) => projectId],
  group_id: ['bigint', ({ groupId }) => groupId],
  subject_id: ['bigint', ({ subjectId }) => subjectId],
  actor_id: ['bigint', ({ actorId }) => actorId],
  data: ['jsonb', ({ data = {} }) => JSON.stringify(data)],
  key: ['text', ({ key }) => key],
  uuid: ['uuid', ({ chain }) => chain]
}
const rows = rowSet(columns)
const values = Object.keys(columns)
  .map(name => ({ uuid: 'coalesce(uuid, gen_random_uuid())', group_id: groupOf() })[name] ?? name)
  .join(', ')

/** A project may be gone when webhooks are looked for. */
function groupOf() {
  return "CASE consumer WHEN 'webhooks' THEN coalesce(group_id, (SELECT p.namespace_id FROM projects p WHERE p.id = given.project_id)) ELSE group_id END"
}

/**
 * Writes what happened in the caller's transaction (transactional outbox): users are notified of everything that is committed,
 * and of nothing that is rolled back. The commit wakes the dispatcher.
 */
export function addToOutbox(em: EntityManager, entries: NewOutboxEntry[]) {
  return insert(em, entries.map(forNotifications), 'EXISTS (SELECT FROM projects p WHERE p.id = given.project_id)')
}

/** As `addToOutbox`, for entries that only rules match: projects without rules write nothing, because errors and alerts are many. */
export function addRuleEntries(em: EntityManager, entries: NewOutboxEntry[]) {
  return insert(em, entries.map(forNotifications), 'EXISTS (SELECT FROM notified_projects p WHERE p.project_id = given.project_id)')
}

/** As `addToOutbox`, for a mail to one person. */
export function addMail(em: EntityManager, { owner, ...mail }: NewMail) {
  return insert(em, [{ ...mail, consumer: 'mail', [owner?.type === 'Project' ? 'projectId' : 'groupId']: owner?.id }])
}

/** As `addToOutbox`, for webhooks: nothing while there are none. Events of one chain have one UUID. */
export function addWebhookEvent(em: EntityManager, ...events: NewWebhookEvent[]) {
  return insert(
    em,
    events.map(event => ({ ...event, consumer: 'webhooks' })),
    'EXISTS (SELECT FROM webhooks)'
  )
}

function forNotifications(entry: NewOutboxEntry): Row {
  return { ...entry, consumer: 'notifications' }
}

async function insert(em: EntityManager, entries: Row[], condition = 'true') {
  if (entries.length === 0) return
  await query(
    em,
    `WITH added AS (
       INSERT INTO outbox (${rows.names}) SELECT ${values} FROM ${rows.source} WHERE ${condition}
       ON CONFLICT (key) DO NOTHING RETURNING id
     )
     SELECT pg_notify(current_schema() || '_outbox', '') FROM added LIMIT 1`,
    rows.params(entries)
  )
}

/** Whether there is any webhook, so that others need not collect what changed. */
export async function hasWebhooks(em: EntityManager) {
  return (await query(em, 'SELECT 1 FROM webhooks LIMIT 1')).length > 0
}

export const entryColumns = `id, kind, project_id AS "projectId", subject_id AS "subjectId", actor_id AS "actorId", data, created_at AS "createdAt"`

/**
 * The oldest open entries that no other dispatcher holds, locked until the transaction ends. They have ended once it commits; mails
 * end when they were sent, and are taken again when their job seems lost.
 */
export async function takeFromOutbox<Name extends Consumer>(em: EntityManager, consumer: Name, limit: number): Promise<Consumers[Name][]> {
  const taken = await query<Consumers[Name]>(
    em,
    `UPDATE outbox SET dispatched_at = now(), ended_at = CASE consumer WHEN 'mail' THEN NULL ELSE now() END
     WHERE id IN (SELECT id FROM outbox WHERE consumer = $1 AND ended_at IS NULL
       AND coalesce(dispatched_at < now() - interval '1 minute', true) AND coalesce(retry_at <= now(), true)
       ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING ${entryColumns}, group_id AS "groupId", uuid`,
    [consumer, limit]
  )

  return taken.sort((a, b) => a.id - b.id)
}

const maxFailures = 10

/** Tries an entry that was taken again: after a minute, and twice as long after each failure, up to some eight hours in all. */
export async function postponeEntry(em: EntityManager, id: number, reason: string) {
  await query(
    em,
    `UPDATE outbox SET failures = failures + 1, failure = left($2, 1000), retry_at = now() + interval '1 minute' * 2 ^ failures,
       dispatched_at = CASE WHEN failures + 1 >= $3 THEN dispatched_at END, ended_at = CASE WHEN failures + 1 >= $3 THEN now() END
     WHERE id = $1`,
    [id, storableText(reason), maxFailures]
  )
}

/** A mail that was neither sent nor given up; undefined otherwise. */
export async function findOpenMail(em: EntityManager, id: number) {
  const [mail] = await query<OutboxMail>(
    em,
    `SELECT ${entryColumns}, group_id AS "groupId" FROM outbox WHERE id = $1 AND consumer = 'mail' AND ended_at IS NULL`,
    [id]
  )

  return mail
}

export async function endMail(em: EntityManager, id: number, outcome: 'sent' | 'failed' | 'discarded', at: Date) {
  await query(em, 'UPDATE outbox SET ended_at = $2, outcome = $3 WHERE id = $1 AND ended_at IS NULL', [id, at.toISOString(), outcome])
}

/** Gives up mails that were written before this time. */
export async function discardMails(em: EntityManager, before: Date, at: Date) {
  await query(
    em,
    "UPDATE outbox SET ended_at = $2, outcome = 'discarded' WHERE consumer = 'mail' AND ended_at IS NULL AND created_at < $1",
    [before.toISOString(), at.toISOString()]
  )
}

/** Invitations that were mailed within the last hour: for the project or group, and by the user. */
export async function countRecentInvitations(em: EntityManager, { type, id }: NonNullable<NewMail['owner']>, actorId: number | null) {
  const isOfOwner = `${type === 'Project' ? 'project_id' : 'group_id'} = $1`
  const [row] = await query<{ owner: number; actor: number }>(
    em,
    `SELECT count(*) FILTER (WHERE ${isOfOwner}) AS owner, count(*) FILTER (WHERE actor_id = $2) AS actor
     FROM outbox WHERE kind = 'invitation' AND created_at > now() - interval '1 hour' AND (${isOfOwner} OR actor_id = $2)`,
    [id, actorId]
  )

  return Math.max(row!.owner, row!.actor)
}

/**
 * Entries are kept for 30 days, and what a delivery is about while a mute holds it. Those that were not dispatched wait, except for
 * webhooks, which may be off.
 */
export async function deleteOldOutbox(em: EntityManager, at: Date) {
  const isOld = `created_at < $1::timestamptz - interval '30 days' AND (ended_at IS NOT NULL OR consumer <> 'notifications') AND NOT EXISTS (
    SELECT FROM notification_delivery_entries e JOIN notification_deliveries d ON d.id = e.delivery_id
    WHERE e.outbox_id = outbox.id AND d.status = 'held')`

  await deleteInBatches(em, { table: 'outbox', key: 'id', where: isOld, params: [at.toISOString()], batchSize: 10_000 })
}
