import type { EntityManager } from '#platform/database/database.ts'
import { deleteInBatches, type RowsToDelete } from '#platform/database/delete-in-batches.ts'
import { ErrorSetting } from '../settings/error-setting.ts'

/** Retention in days of data that is independent of the events' retention. */
const days = { hourlyCounts: 90, dailyCounts: 400, sessionStates: 7, idempotencyKeys: 2, failures: 31 }
/** Per project: older releases are no longer needed to compare versions. */
const maxReleases = 1000

/** Deletes expired data. Events are deleted by dropping partitions, except in projects with a shorter retention. */
export async function deleteExpiredErrors(em: EntityManager, retentionDays: number, at: Date, signal: AbortSignal) {
  const shorter = await em.find(ErrorSetting, { retentionDays: { $lt: retentionDays } }, { orderBy: { projectId: 'asc' } })

  for (const { projectId, retentionDays } of shorter) {
    for (const rows of ofProject(projectId, daysBefore(at, retentionDays!))) await deleteInBatches(em, rows, signal)
  }
  for (const rows of ofAllProjects(at, retentionDays)) await deleteInBatches(em, rows, signal)
}

/** Expires entire days, like partitions. */
function ofProject(projectId: number, before: Date): RowsToDelete[] {
  const day = before.toISOString().slice(0, 10)
  const isExpired = 'project_id = $1 AND received_at < $2::date'

  return [
    {
      table: 'error_events',
      key: 'project_id, event_id, day',
      where: 'project_id = $1 AND day < $2::date',
      order: 'project_id, event_id, day',
      params: [projectId, day]
    },
    { table: 'error_attachments', key: 'id', where: isExpired, order: 'received_at', params: [projectId, day], batchSize: 100 },
    { table: 'error_feedback', key: 'id', where: isExpired, order: 'received_at', params: [projectId, day] },
    {
      table: 'error_tags',
      key: 'project_id, tag, group_id',
      where: 'project_id = $1 AND seen_on < $2::date',
      order: 'seen_on',
      params: [projectId, day]
    }
  ]
}

function ofAllProjects(at: Date, retentionDays: number): RowsToDelete[] {
  const events = daysBefore(at, retentionDays)
  const hourlyCounts = daysBefore(at, days.hourlyCounts)
  const dailyCounts = daysBefore(at, days.dailyCounts)

  return [
    { ...olderThan('error_attachments', 'id', 'received_at', events), batchSize: 100 },
    olderThan('error_feedback', 'id', 'received_at', events),
    olderThan('error_tags', 'project_id, tag, group_id', 'seen_on', events),
    olderThan('error_hourly_counts', 'project_id, group_id, hour', 'hour', hourlyCounts),
    olderThan('error_sessions', 'project_id, hour, release, environment', 'hour', hourlyCounts),
    olderThan('error_session_states', 'project_id, session_id', 'started_at', daysBefore(at, days.sessionStates)),
    olderThan('error_session_users', 'project_id, release, day, environment, user_hash', 'day', daysBefore(at, days.sessionStates)),
    olderThan('error_user_days', 'project_id, release, day, environment', 'day', hourlyCounts),
    // Jobs do not run again after two days.
    olderThan('error_drop_marks', 'envelope_id', 'counted_at', daysBefore(at, days.idempotencyKeys)),
    olderThan('error_failures', 'envelope_id', 'day', daysBefore(at, days.failures)),
    olderThan('error_dropped_counts', 'project_id, day, category, reason, key_id', 'day', dailyCounts),
    olderThan('error_client_discards', 'project_id, day, category, reason, key_id', 'day', dailyCounts),
    olderThan('error_stored_counts', 'project_id, day, category, key_id', 'day', dailyCounts),
    {
      table: 'error_usage',
      key: 'subject, minute',
      where: 'minute < $1',
      order: 'subject, minute',
      params: [Math.floor(at.getTime() / 60_000) - 60]
    },
    usersOfExpiredGroups(events),
    oldReleases
  ]
}

function olderThan(table: string, key: string, column: string, before: Date): RowsToDelete {
  return { table, key, where: `${column} < $1`, order: column, params: [before.toISOString()] }
}

/** Groups whose events have all expired count their users anew when an event arrives. */
function usersOfExpiredGroups(before: Date): RowsToDelete {
  return {
    table: 'error_users',
    key: 'group_id, user_hash',
    from: `error_groups g, LATERAL (SELECT group_id, user_hash FROM error_users u WHERE u.group_id = g.id) u`,
    where: 'g.last_seen_at < $1',
    order: 'group_id, user_hash',
    params: [before.toISOString()]
  }
}

const oldReleases: RowsToDelete = {
  table: 'error_releases',
  key: 'project_id, version',
  from: `(SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY first_seen_at DESC, version) AS place FROM error_releases) r`,
  where: `place > ${maxReleases}`,
  order: 'project_id, version',
  params: []
}

function daysBefore(at: Date, days: number) {
  return new Date(at.getTime() - days * 24 * 3600 * 1000)
}
