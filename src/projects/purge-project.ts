import { type EntityManager, query } from '../platform/database/database.ts'

/** Tables that hold so much of a project that they do not refer to it, with their keys. */
const tables = {
  error_events: 'project_id, event_id, day',
  error_tallies: 'project_id, group_id, hour',
  error_drops: 'project_id, day, category, reason',
  error_losses: 'project_id, day, category, reason',
  error_keeps: 'project_id, day, category',
  error_session_states: 'project_id, session_id',
  error_failures: 'envelope_id',
  activity_events: 'id',
  alerts: 'project_id, iid'
}
const step = 5000

/** In steps that hold nobody up. Cut short, it goes on where it was; where nothing is left, it does nothing. */
export async function purge(em: EntityManager, projectIds: number[], signal: AbortSignal) {
  for (const projectId of projectIds) {
    for (const [table, key] of Object.entries(tables)) {
      while ((await removeSome(em, table, key, projectId)) === step) signal.throwIfAborted()
    }
  }
}

async function removeSome(em: EntityManager, table: string, key: string, projectId: number) {
  const [row] = await query<{ count: string }>(
    em,
    `WITH removed AS (
       DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE project_id = $1 LIMIT ${step}) RETURNING 1
     )
     SELECT count(*) FROM removed`,
    [projectId]
  )

  return Number(row!.count)
}
