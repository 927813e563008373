import { type EntityManager, query } from '../platform/database/database.ts'
import type { Action, TargetType } from './actions.ts'

export interface Activity {
  projectId: number
  /** Nobody, where the platform noticed it by itself. */
  authorId?: number
  action: Action
  target?: { type: TargetType; id?: number; iid?: number; title?: string }
  /** What was said, and about what. */
  note?: { id?: number; body: string; noteable_type?: string; noteable_id?: number; noteable_iid?: number }
  pushData?: Record<string, unknown>
  /** The same key twice is one event. */
  key?: string
  at?: Date
}

/**
 * Joins the transaction at hand, so that what was done and the record of it are stored together. What is recorded of
 * a project that is gone goes with it.
 */
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
    columns(isAboutError),
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

/** Errors are shown to developers only, and so is what happens to them. */
function isAboutError({ target, note }: Activity) {
  return target?.type === 'Error' || note?.noteable_type === 'Error'
}

/** Three years are remembered. */
export async function removeOldActivity(em: EntityManager, at: Date) {
  const step = 10_000
  let removed = step

  while (removed === step) {
    const [row] = await query<{ count: string }>(
      em,
      `WITH removed AS (
         DELETE FROM activity_events WHERE id IN (
           SELECT id FROM activity_events WHERE created_at < $1::timestamptz - interval '3 years' LIMIT ${step}
         ) RETURNING 1
       )
       SELECT count(*) FROM removed`,
      [at.toISOString()]
    )

    removed = Number(row!.count)
  }
}
