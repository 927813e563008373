import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { invalidateCache } from '../../platform/cache/invalidate-cache.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import type { Queues } from '../../platform/queue/queues.ts'
import { purgeProjects } from './jobs.ts'

export interface DeletionDeps {
  config: Config
  queues: Queues
  log: Logger
}

/** Intake caches keys: those of a deleted project must stop working at once. Must run in the deleting transaction. */
export async function invalidateKeys(em: EntityManager, { config }: DeletionDeps, projectIds: number[]) {
  if (projectIds.length === 0) return
  const keys = await query<{ public_key: string }>(em, 'SELECT public_key FROM client_keys WHERE project_id = ANY ($1::bigint[])', [
    projectIds
  ])

  for (const { public_key: key } of keys) await invalidateCache(em, config, 'client-key', key)
  await invalidateCache(em, config, 'alert-integration')
}

const idsPerJob = 1000

/** The deletion stands if this fails: retention deletes the rest in time. */
export async function enqueuePurge({ queues, log }: DeletionDeps, projectIds: number[]) {
  for (let n = 0; n < projectIds.length; n += idsPerJob) {
    await queues
      .enqueue(purgeProjects, { projectIds: projectIds.slice(n, n + idsPerJob) })
      .catch(error => log.warn({ err: error }, 'failed to enqueue the purge of deleted projects'))
  }
}

/** Large tables without a foreign key to projects, and their primary keys. */
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
const rowsPerStep = 5000

/** Deletes what projects left in the large tables, in short transactions. Can be interrupted and repeated. */
export async function purge(em: EntityManager, projectIds: number[], signal: AbortSignal) {
  for (const projectId of projectIds) {
    for (const [table, key] of Object.entries(tables)) {
      while ((await deleteStep(em, table, key, projectId)) === rowsPerStep) signal.throwIfAborted()
    }
  }
}

async function deleteStep(em: EntityManager, table: string, key: string, projectId: number) {
  const [row] = await query<{ count: string }>(
    em,
    `WITH deleted AS (
       DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE project_id = $1 LIMIT ${rowsPerStep}) RETURNING 1
     )
     SELECT count(*) FROM deleted`,
    [projectId]
  )

  return Number(row!.count)
}
