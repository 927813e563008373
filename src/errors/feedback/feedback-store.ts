import { addRuleEntries } from '#outbox/outbox-store.ts'
import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import type { Feedback } from './parse-feedback.ts'

const rows = rowSet<Feedback>({
  project_id: ['bigint', item => item.projectId],
  envelope_id: ['uuid', item => item.envelopeId],
  position: ['int', item => item.position],
  event_id: ['uuid', item => item.eventId],
  own_id: ['uuid', item => item.ownId],
  received_at: ['timestamptz', item => item.receivedAt],
  name: ['text', item => item.name],
  email: ['text', item => item.email],
  comments: ['text', item => item.comments],
  url: ['text', item => item.url],
  release: ['text', item => item.release],
  environment: ['text', item => item.environment]
})

/** A repeated job inserts nothing: items are identified by their envelope and position. */
export async function storeFeedback(em: EntityManager, feedback: Feedback[]) {
  if (feedback.length === 0) return
  const added = await query<{ id: number; projectId: number }>(
    em,
    `INSERT INTO error_feedback (${rows.names}) SELECT * FROM ${rows.source} ON CONFLICT DO NOTHING RETURNING id, project_id AS "projectId"`,
    rows.params(feedback)
  )

  await addRuleEntries(
    em,
    added.map(({ id, projectId }) => ({ kind: 'feedback.new', projectId, subjectId: id, key: `feedback-${id}` }))
  )
}

export type FeedbackStatus = 'open' | 'resolved' | 'spam'

/** Returns how many were changed. */
export async function changeFeedback(
  em: EntityManager,
  projectId: number,
  ids: number[],
  { status, assigneeId }: { status?: FeedbackStatus; assigneeId?: number | null }
) {
  const changed = await query(
    em,
    `UPDATE error_feedback SET status = coalesce($3, status), assignee_id = CASE WHEN $4 THEN $5::bigint ELSE assignee_id END
     WHERE project_id = $1 AND id = ANY ($2::bigint[]) RETURNING id`,
    [projectId, ids, status ?? null, assigneeId !== undefined, assigneeId ?? null]
  )

  return changed.length
}

export async function countByStatus(em: EntityManager, projectId: number) {
  const counts = await query<{ status: FeedbackStatus; count: number }>(
    em,
    'SELECT status, count(*) FROM error_feedback WHERE project_id = $1 GROUP BY status',
    [projectId]
  )

  return new Map(counts.map(({ status, count }) => [status, count]))
}
