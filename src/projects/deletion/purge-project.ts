import { type SqlBool, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { purgeProjects } from './jobs.ts'

export interface DeletionDeps {
  config: Config
  queues: Queues
  log: Logger
}

/** Intake caches keys: those of a deleted or archived project must stop working at once. Must run in the transaction of the change. */
export async function invalidateKeys(em: EntityManager, config: Config, projectIds: number[]) {
  if (projectIds.length === 0) return
  const db = em.getKysely<Tables>()
  const keys = await db
    .selectFrom('client_keys')
    .select('public_key')
    .where(sql<SqlBool>`project_id = ANY (${projectIds}::bigint[])`)
    .execute()

  for (const { public_key: key } of keys) await invalidateCache(em, config, 'client-key', key)
  await invalidateCache(em, config, 'alert-integration')
}

const idsPerJob = 1000

/** If this fails, the projects stay deleted, and retention removes their rows eventually. */
export async function enqueuePurge({ queues, log }: DeletionDeps, projectIds: number[]) {
  for (let n = 0; n < projectIds.length; n += idsPerJob) {
    await queues
      .enqueue(purgeProjects, { projectIds: projectIds.slice(n, n + idsPerJob) })
      .catch(error => log.warn({ err: error }, 'failed to enqueue the purge of deleted projects'))
  }
}

/** Large tables without a foreign key to projects, each with columns that identify a row. */
const tables = {
  error_events: 'project_id, event_id, day',
  error_hourly_counts: 'project_id, group_id, hour',
  error_dropped_counts: 'project_id, day, category, reason, key_id',
  error_client_discards: 'project_id, day, category, reason, key_id',
  error_stored_counts: 'project_id, day, category, key_id',
  error_session_states: 'project_id, session_id',
  error_session_users: 'project_id, release, day, environment, user_hash',
  error_failures: 'envelope_id',
  activity_events: 'id',
  alerts: 'project_id, iid'
}
const batchSize = 5000

/** Deletes what projects left in the large tables, in short transactions. Can be interrupted and repeated. */
export async function purge(em: EntityManager, projectIds: number[], signal: AbortSignal) {
  for (const projectId of projectIds) {
    for (const [table, key] of Object.entries(tables)) {
      await deleteInBatches(em, { table, key, where: 'project_id = $1', params: [projectId], batchSize }, signal)
    }
  }
}
