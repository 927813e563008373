import { type SqlBool, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Actor } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { deleteBatch } from '#platform/database/delete-in-batches.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { startTask } from '#tasks/start-task.ts'
import type { TaskKind } from '#tasks/task-kind.ts'
import { countStoredEvents } from './purge-store.ts'

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

interface Purged {
  projectIds: number[]
}

/** The place of the next rows: the indices of a project and of a table. */
type Place = [project: number, table: number]

const batchSize = 5000
/** Tables with few rows share a step. */
const stepMs = 1000

/** Deletes what projects left in the large tables. Its progress is that of events. */
export const purgeProjects: TaskKind<Purged, Place> = {
  name: 'projects.purge',
  async step(em, { params: { projectIds }, cursor, signal }) {
    const endsAt = Date.now() + stepMs
    let [project, table] = cursor ?? [0, 0]
    let done = 0

    while (project < projectIds.length && Date.now() < endsAt) {
      signal.throwIfAborted()
      const [name, key] = tables[table]!
      const deleted = await deleteBatch(em, { table: name, key, where: 'project_id = $1', params: [projectIds[project]], batchSize })

      if (name === 'error_events') done += deleted
      if (deleted === batchSize) break
      table = (table + 1) % tables.length
      if (table === 0) project++
    }

    return { done, next: project < projectIds.length ? [project, table] : undefined }
  }
}

/** Must run in the transaction of the deletion. Undefined when there is nothing to purge; otherwise enqueue it after the commit. */
export async function startPurge(em: EntityManager, name: string, projectIds: number[], by: Actor) {
  if (projectIds.length === 0) return undefined
  const total = (await countStoredEvents(em, projectIds)) || null

  return startTask(em, purgeProjects, { title: `Deleting the data of ${name}`, params: { projectIds }, total }, by, new Date())
}

/** Large tables without a foreign key to projects, each with columns that identify a row. Append only: cursors hold their indices. */
const tables = Object.entries({
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
})
