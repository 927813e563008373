import { type EntityManager, query } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import type { Action, TargetType } from './actions.ts'

export interface Activity {
  projectId: number
  /** Undefined for system events. */
  authorId?: number
  action: Action
  target?: { type: TargetType; id?: number; iid?: number; title?: string }
  note?: { id?: number; body: string; noteable_type?: string; noteable_id?: number; noteable_iid?: number }
  pushData?: Record<string, unknown>
  /** Deduplication key: an event with a known key is dropped. */
  key?: string
  at?: Date
}

/** Stores activities in the caller's transaction. Activities of deleted projects are dropped. */
export async function recordActivity(em: EntityManager, ...activities: Activity[]) {
  if (activities.length === 0) return

  await query(
    em,
    insertion,
    Object.values(columns).map(([, read]) => activities.map(activity => read(activity) ?? null))
  )
}

const columns: Record<string, [type: string, read: (activity: Activity) => unknown]> = {
  project_id: ['bigint', ({ projectId }) => projectId],
  author_id: ['bigint', ({ authorId }) => authorId],
  action: ['text', ({ action }) => action],
  target_type: ['text', ({ target }) => target?.type],
  target_id: ['bigint', ({ target }) => target?.id],
  target_iid: ['bigint', ({ target }) => target?.iid],
  target_title: ['text', ({ target }) => target?.title],
  note: ['jsonb', ({ note }) => note && JSON.stringify(note)],
  push_data: ['jsonb', ({ pushData }) => pushData && JSON.stringify(pushData)],
  is_for_developers: ['boolean', concernsError],
  key: ['text', ({ key }) => key],
  created_at: ['timestamptz', ({ at = new Date() }) => at.toISOString()]
}
const names = Object.keys(columns)
const arrays = Object.values(columns).map(([type], n) => `$${n + 1}::${type}[]`)

const insertion = `
  INSERT INTO activity_events (${names}) SELECT ${names.map(name => `a.${name}`)}
  FROM unnest(${arrays}) WITH ORDINALITY AS a (${names}, place)
  WHERE EXISTS (SELECT FROM projects p WHERE p.id = a.project_id)
  ORDER BY place
  ON CONFLICT (key) DO NOTHING`

/** Guests cannot see errors, so they must not see activity on them. */
function concernsError({ target, note }: Activity) {
  return target?.type === 'Error' || note?.noteable_type === 'Error'
}

/** Activity of an issue that is deleted, and on its comments. */
export function deleteIssueActivity(em: EntityManager, { id, projectId, createdAt }: { id: number; projectId: number; createdAt: Date }) {
  return query(
    em,
    `DELETE FROM activity_events WHERE project_id = $1 AND created_at >= $2::timestamptz - interval '1 hour'
     AND (target_type = 'Issue' AND target_id = $3 OR note->>'noteable_type' = 'Issue' AND note->>'noteable_id' = $3::bigint::text)`,
    [projectId, createdAt.toISOString(), id]
  )
}

/** Activity is kept for three years. */
export async function deleteOldActivity(em: EntityManager, at: Date) {
  const isOld = "created_at < $1::timestamptz - interval '3 years'"

  await deleteInBatches(em, { table: 'activity_events', key: 'id', where: isOld, params: [at.toISOString()], batchSize: 10_000 })
}
