import { type EntityManager, query } from '#platform/database/database.ts'

const limit = 1000

/** Begins a new run of open tasks whose lease has ended. A step that is being taken holds its row. The next steps shorten the lease again. */
export function takeOverTasks(em: EntityManager, at: Date) {
  return query<{ id: number; run: number }>(
    em,
    `UPDATE tasks SET run = run + 1, leased_until = $1::timestamptz + interval '5 minutes'
     WHERE id IN (
       SELECT id FROM tasks WHERE state <> 'finished' AND state <> 'failed' AND leased_until < $1 ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
     )
     RETURNING id, run`,
    [at]
  )
}

/** The number of open tasks that the same author, or the system, began before this one. */
export async function countEarlierTasks(em: EntityManager, taskId: number) {
  const [row] = await query<{ count: number }>(
    em,
    `SELECT count(*) FROM tasks t JOIN tasks earlier ON earlier.id < t.id AND earlier.author_id IS NOT DISTINCT FROM t.author_id
     WHERE t.id = $1 AND earlier.state <> 'finished' AND earlier.state <> 'failed'`,
    [taskId]
  )

  return row!.count
}

/** Failed ones are kept longer, so that somebody sees them. */
export function deleteOldTasks(em: EntityManager, at: Date) {
  return query(
    em,
    `DELETE FROM tasks
     WHERE (state = 'finished' AND finished_at < $1::timestamptz - interval '7 days')
        OR (state = 'failed' AND updated_at < $1::timestamptz - interval '30 days')`,
    [at]
  )
}
