import { type EntityManager, query } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { type RowColumns, rowSet } from '#platform/database/row-set.ts'
import type { NewOutboxEntry, OutboxEntry } from './outbox-entry.ts'

const columns: RowColumns<NewOutboxEntry> = {
  kind: ['text', ({ kind }) => kind],
  project_id: ['bigint', ({ projectId }) => projectId],
  subject_id: ['bigint', ({ subjectId }) => subjectId],
  actor_id: ['bigint', ({ actorId }) => actorId],
  data: ['jsonb', ({ data = {} }) => JSON.stringify(data)],
  key: ['text', ({ key }) => key]
}
const rows = rowSet(columns)

/**
 * Writes what happened in the caller's transaction (transactional outbox): users are notified of everything that is committed,
 * and of nothing that is rolled back. The commit wakes the dispatcher.
 */
export function addToOutbox(em: EntityManager, entries: NewOutboxEntry[]) {
  return insert(em, entries, 'EXISTS (SELECT FROM projects p WHERE p.id = given.project_id)')
}

/** As `addToOutbox`, for entries that only rules match: projects without rules write nothing, because errors and alerts are many. */
export function addRuleEntries(em: EntityManager, entries: NewOutboxEntry[]) {
  return insert(em, entries, 'EXISTS (SELECT FROM notified_projects p WHERE p.project_id = given.project_id)')
}

async function insert(em: EntityManager, entries: NewOutboxEntry[], condition: string) {
  if (entries.length === 0) return
  await query(
    em,
    `WITH added AS (
       INSERT INTO outbox (${rows.names}) SELECT ${rows.names} FROM ${rows.source} WHERE ${condition}
       ON CONFLICT (key) DO NOTHING RETURNING id
     )
     SELECT pg_notify(current_schema() || '_outbox', '') FROM added LIMIT 1`,
    rows.params(entries)
  )
}

/** The oldest entries that no other dispatcher holds, locked until the transaction ends. They count as dispatched once it commits. */
export async function takeFromOutbox(em: EntityManager, limit: number): Promise<OutboxEntry[]> {
  const rows = await query<OutboxEntry>(
    em,
    `UPDATE outbox SET dispatched_at = now()
     WHERE id IN (SELECT id FROM outbox WHERE dispatched_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING ${entryColumns}`,
    [limit]
  )

  return rows.sort((a, b) => a.id - b.id)
}

export const entryColumns = `id, kind, project_id AS "projectId", subject_id AS "subjectId", actor_id AS "actorId", data, created_at AS "createdAt"`

/** Deliveries are kept for 30 days, or while a mute holds them, and what they are about as long. */
export async function deleteOldOutbox(em: EntityManager, at: Date) {
  const isOld = `created_at < $1::timestamptz - interval '30 days' AND dispatched_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM notification_delivery_entries e JOIN notification_deliveries d ON d.id = e.delivery_id
    WHERE e.outbox_id = outbox.id AND d.status = 'held')`

  await deleteInBatches(em, { table: 'outbox', key: 'id', where: isOld, params: [at.toISOString()], batchSize: 10_000 })
}
