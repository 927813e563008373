import type { Test } from 'tap'
import { deleteOldActivity } from '#activity/activity-store.ts'
import type { Platform } from '#boot.ts'

/** Events are kept for three years, not for longer. */
export async function keepsThreeYears(t: Test, { pool, fork }: Platform, projectId: number) {
  await pool.query(
    `INSERT INTO activity_events (project_id, author_id, action, target_type, target_title, is_for_developers, created_at)
     SELECT $1, 1, 'opened', 'Issue', title, false, now() - interval '3 years' - days * interval '1 day'
     FROM (VALUES ('too old', 1), ('old', -1)) v (title, days)`,
    [projectId]
  )
  await deleteOldActivity(fork(), new Date())
  const { rows } = await pool.query(`SELECT target_title FROM activity_events WHERE target_title LIKE '%old'`)

  t.same(rows, [{ target_title: 'old' }])
}
