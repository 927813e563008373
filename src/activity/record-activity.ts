import { type EntityManager, query } from '../platform/database/database.ts'
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
  const columns = <T>(read: (activity: Activity) => T) => activities.map(activity => read(activity) ?? null)
  const now = new Date()

  await query(em, insertion, [
    columns(({ projectId }) => projectId),
    columns(({ authorId }) => authorId),
    columns(({ action }) => action),
    columns(({ target }) => target?.type),
    columns(({ target }) => target?.id),
    columns(({ target }) => target?.iid),
    columns(({ target }) => target?.title),
    columns(({ note }) => note && JSON.stringify(note)),
    columns(({ pushData }) => pushData && JSON.stringify(pushData)),
    columns(concernsError),
    columns(({ key }) => key),
    columns(({ at = now }) => at.toISOString())
  ])
}

const insertion = `
  INSERT INTO activity_events (project_id, author_id, action, target_type, target_id, target_iid, target_title, note, push_data,
                               is_for_developers, key, created_at)
  SELECT a.project_id, author_id, action, target_type, target_id, target_iid, target_title, note::jsonb, push_data::jsonb,
         is_for_developers, key, a.created_at
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::text[],
              $10::boolean[], $11::text[], $12::timestamptz[])
    WITH ORDINALITY AS a (project_id, author_id, action, target_type, target_id, target_iid, target_title, note, push_data,
                          is_for_developers, key, created_at, place)
  WHERE EXISTS (SELECT FROM projects p WHERE p.id = a.project_id)
  ORDER BY place
  ON CONFLICT (key) DO NOTHING`

/** Guests cannot see errors, so they must not see activity on them. */
function concernsError({ target, note }: Activity) {
  return target?.type === 'Error' || note?.noteable_type === 'Error'
}

/** Activity is kept for three years. */
export async function deleteOldActivity(em: EntityManager, at: Date) {
  const rowsPerStep = 10_000
  let deleted = rowsPerStep

  while (deleted === rowsPerStep) {
    const [row] = await query<{ count: string }>(
      em,
      `WITH deleted AS (
         DELETE FROM activity_events WHERE id IN (
           SELECT id FROM activity_events WHERE created_at < $1::timestamptz - interval '3 years' LIMIT ${rowsPerStep}
         ) RETURNING 1
       )
       SELECT count(*) FROM deleted`,
      [at.toISOString()]
    )

    deleted = Number(row!.count)
  }
}
