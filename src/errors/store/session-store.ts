import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import { hourOf, type SessionAggregate, type SessionState, type SessionUpdate } from '../parse/session.ts'

interface StoredSession {
  state: SessionState | 'new'
  isErrored: boolean
  seq: number
}

type SessionRow = Pick<SessionUpdate, 'projectId' | 'sessionId' | 'startedAt'> & StoredSession

const sessionRows = rowSet<SessionRow>({
  project_id: ['bigint', row => row.projectId],
  session_id: ['text', row => row.sessionId],
  state: ['text', row => row.state],
  is_errored: ['boolean', row => row.isErrored],
  seq: ['bigint', row => row.seq],
  started_at: ['timestamptz', row => row.startedAt]
})

/**
 * Updates sessions and returns how the hourly counts change. Repeating an update changes nothing, and a late update does
 * not undo a newer one.
 */
export async function updateSessions(em: EntityManager, updates: SessionUpdate[]): Promise<SessionAggregate[]> {
  if (updates.length === 0) return []
  const sessions = await lockSessions(em, updates)
  const changes: SessionAggregate[] = []

  for (const update of updates.toSorted((a, b) => a.seq - b.seq)) {
    const before = sessions.get(keyOf(update))!
    const after = apply(before, update)

    if (!after) continue
    sessions.set(keyOf(update), after)
    changes.push(difference(before, after, update))
  }
  await query(
    em,
    `UPDATE error_session_states s SET state = given.state, is_errored = given.is_errored, seq = given.seq
     FROM ${sessionRows.source} WHERE s.project_id = given.project_id AND s.session_id = given.session_id`,
    sessionRows.params(uniqueSessions(updates).map(update => ({ ...update, ...sessions.get(keyOf(update))! })))
  )

  return changes
}

/** Inserts missing rows first, so that two workers do not both count a session as new. */
async function lockSessions(em: EntityManager, updates: SessionUpdate[]) {
  const params = sessionRows.params(uniqueSessions(updates).map(update => ({ ...update, state: 'new', isErrored: false, seq: -1 })))

  await query(
    em,
    `INSERT INTO error_session_states (${sessionRows.names}) SELECT * FROM ${sessionRows.source} ORDER BY project_id, session_id
     ON CONFLICT DO NOTHING`,
    params
  )
  const rows = await query<{ key: string } & StoredSession>(
    em,
    `SELECT s.project_id || ' ' || s.session_id AS key, s.state, s.is_errored AS "isErrored", s.seq
     FROM error_session_states s JOIN ${sessionRows.source} USING (project_id, session_id)
     ORDER BY s.project_id, s.session_id FOR UPDATE OF s`,
    params
  )

  return new Map<string, StoredSession>(rows.map(({ key, ...session }) => [key, session]))
}

function uniqueSessions(updates: SessionUpdate[]) {
  return [...new Map(updates.map(update => [keyOf(update), update])).values()]
}

/** Final states and the errored flag do not change any more. */
function apply(before: StoredSession, { state, isErrored, seq }: SessionUpdate): StoredSession | undefined {
  if (seq <= before.seq) return undefined
  const hasEnded = before.state !== 'new' && before.state !== 'ok'

  return { state: hasEnded ? before.state : state, isErrored: before.isErrored || isErrored, seq }
}

function difference(before: StoredSession, after: StoredSession, update: SessionUpdate): SessionAggregate {
  const [from, to] = [bucketOf(before), bucketOf(after)]
  const change = (bucket: string) => Number(to === bucket) - Number(from === bucket)

  return {
    projectId: update.projectId,
    hour: hourOf(update.startedAt),
    release: update.release,
    environment: update.environment,
    started: Number(before.state === 'new'),
    exited: change('exited'),
    errored: change('errored'),
    crashed: change('crashed'),
    abnormal: change('abnormal')
  }
}

/** A session counts in one bucket. */
function bucketOf({ state, isErrored }: StoredSession) {
  if (state === 'crashed' || state === 'abnormal') return state

  return isErrored ? 'errored' : state
}

const counts = ['started', 'exited', 'errored', 'crashed', 'abnormal'] as const
const aggregateRows = rowSet<SessionAggregate>({
  project_id: ['bigint', row => row.projectId],
  hour: ['timestamptz', row => row.hour],
  release: ['text', row => row.release],
  environment: ['text', row => row.environment],
  ...Object.fromEntries(counts.map(name => [name, ['bigint', (row: SessionAggregate) => row[name]] as const]))
})

/** Adds to the hourly counts. Not idempotent. */
export async function addSessionCounts(em: EntityManager, aggregates: SessionAggregate[]) {
  if (aggregates.length === 0) return
  const params = aggregateRows.params(aggregates)

  await query(em, upsertReleases, params)
  await query(em, upsertCounts, params)
}

const key = 'project_id, hour, release, environment'
const upsertCounts = `
  INSERT INTO error_sessions AS s (${aggregateRows.names})
  SELECT ${key}, ${counts.map(name => `sum(${name})`)} FROM ${aggregateRows.source} GROUP BY ${key} ORDER BY ${key}
  ON CONFLICT (${key}) DO UPDATE SET ${counts.map(name => `${name} = s.${name} + EXCLUDED.${name}`)}`

/** Also creates releases without errors. Sessions count as seen at the end of their hour. */
const upsertReleases = `
  INSERT INTO error_releases AS r (project_id, version, first_seen_at, last_seen_at)
  SELECT project_id, release, min(at), max(at) FROM (
    SELECT *, date_trunc('milliseconds', least(now(), hour + interval '1 hour')) AS at FROM ${aggregateRows.source}
  ) s
  WHERE NOT EXISTS (SELECT FROM error_releases r WHERE r.project_id = s.project_id AND r.version = s.release AND r.last_seen_at >= s.hour)
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (project_id, version) DO UPDATE SET last_seen_at = greatest(r.last_seen_at, EXCLUDED.last_seen_at)`

function keyOf({ projectId, sessionId }: SessionUpdate) {
  return `${projectId} ${sessionId}`
}
