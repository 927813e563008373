import { type EntityManager, query } from '../../platform/database/database.ts'
import { type Leftovers, removeInSteps } from './delete-in-steps.ts'

/** Days for which is kept what outlives the events, or does not live as long. The charts of a month need those of the counters. */
const days = { counters: 90, dailyCounts: 400, sessionStates: 7, marks: 2, failures: 31 }
/** Of a project; older ones tell nothing any more of what is newer than what. */
const mostReleases = 1000

/** Removes all that is too old to keep, but the events, whose partitions are dropped; of projects that keep them shorter, them too. */
export async function expire(em: EntityManager, retentionDays: number, at: Date, signal: AbortSignal) {
  for (const { project_id: id, retention_days: own } of await listShorter(em, retentionDays)) {
    for (const leftovers of ofProject(id, agoIn(at, own))) await removeInSteps(em, leftovers, signal)
  }
  for (const leftovers of ofAll(at, retentionDays)) await removeInSteps(em, leftovers, signal)
}

function listShorter(em: EntityManager, retentionDays: number) {
  return query<{ project_id: string; retention_days: number }>(
    em,
    'SELECT project_id, retention_days FROM error_settings WHERE retention_days < $1 ORDER BY project_id',
    [retentionDays]
  )
}

/** Its days are whole ones, as those of the partitions are. */
function ofProject(projectId: string, before: Date): Leftovers[] {
  const day = before.toISOString().slice(0, 10)
  const sent = 'project_id = $1 AND received_at < $2::date'

  return [
    { table: 'error_events', key: 'project_id, event_id, day', where: 'project_id = $1 AND day < $2::date', params: [projectId, day] },
    { table: 'error_attachments', key: 'id', where: sent, order: 'received_at', params: [projectId, day], step: 100 },
    { table: 'error_feedback', key: 'id', where: sent, order: 'received_at', params: [projectId, day] }
  ]
}

function ofAll(at: Date, retentionDays: number): Leftovers[] {
  const events = agoIn(at, retentionDays)
  const counters = agoIn(at, days.counters)
  const dailyCounts = agoIn(at, days.dailyCounts)

  return [
    { ...aged('error_attachments', 'id', 'received_at', events), step: 100 },
    aged('error_feedback', 'id', 'received_at', events),
    aged('error_tallies', 'project_id, group_id, hour', 'hour', counters),
    aged('error_sessions', 'project_id, hour, release, environment', 'hour', counters),
    aged('error_session_states', 'project_id, session_id', 'started_at', agoIn(at, days.sessionStates)),
    // An envelope that is two days old is not worked again.
    aged('error_drop_marks', 'envelope_id', 'counted_at', agoIn(at, days.marks)),
    aged('error_failures', 'envelope_id', 'day', agoIn(at, days.failures)),
    aged('error_drops', 'project_id, day, category, reason', 'day', dailyCounts),
    aged('error_losses', 'project_id, day, category, reason', 'day', dailyCounts),
    aged('error_keeps', 'project_id, day, category', 'day', dailyCounts),
    { table: 'error_usage', key: 'subject, minute', where: 'minute < $1', params: [Math.floor(at.getTime() / 60_000) - 60] },
    usersOfForgotten(events),
    oldReleases
  ]
}

function aged(table: string, key: string, column: string, before: Date): Leftovers {
  return { table, key, where: `${column} < $1`, order: column, params: [before.toISOString()] }
}

/** Of groups without a single event left: should one come after all, its people are counted anew. */
function usersOfForgotten(before: Date): Leftovers {
  return {
    table: 'error_users',
    key: 'group_id, user_hash',
    from: `error_groups g, LATERAL (SELECT group_id, user_hash FROM error_users u WHERE u.group_id = g.id) u`,
    where: 'g.last_seen_at < $1',
    params: [before.toISOString()]
  }
}

const oldReleases: Leftovers = {
  table: 'error_releases',
  key: 'project_id, version',
  from: `(SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY first_seen_at DESC, version) AS place FROM error_releases) r`,
  where: `place > ${mostReleases}`,
  params: []
}

function agoIn(at: Date, days: number) {
  return new Date(at.getTime() - days * 24 * 3600 * 1000)
}
