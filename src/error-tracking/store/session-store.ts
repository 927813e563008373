import { type EntityManager, query } from '../../platform/database/database.ts'
import { hourOf, type SessionAggregate, type SessionState, type SessionUpdate } from '../parse/items/session.ts'

interface Known {
  state: SessionState | 'new'
  isErrored: boolean
  seq: number
}

/**
 * Brings the sessions up to date and returns what that adds to the hours they began in. The same update
 * twice adds nothing the second time, and one that comes late does not undo a later one.
 */
export async function applySessions(em: EntityManager, updates: SessionUpdate[]): Promise<SessionAggregate[]> {
  if (updates.length === 0) return []
  const known = await lockStates(em, updates)
  const tallies: SessionAggregate[] = []

  for (const update of updates.toSorted((a, b) => a.seq - b.seq)) {
    const before = known.get(keyOf(update))!
    const after = next(before, update)

    if (!after) continue
    known.set(keyOf(update), after)
    tallies.push(difference(before, after, update))
  }
  await saveStates(em, updates, known)

  return tallies
}

/** Makes the rows that are missing first, so that two workers with the same new session do not both take it for new. */
async function lockStates(em: EntityManager, updates: SessionUpdate[]) {
  const distinct = [...new Map(updates.map(update => [keyOf(update), update])).values()]
  const keys = [distinct.map(({ projectId }) => projectId), distinct.map(({ sessionId }) => sessionId)]

  await query(
    em,
    `INSERT INTO error_session_states (project_id, session_id, state, is_errored, seq, started_at)
     SELECT project_id, session_id, 'new', false, -1, started_at
     FROM unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS s (project_id, session_id, started_at) ORDER BY 1, 2
     ON CONFLICT DO NOTHING`,
    [...keys, distinct.map(({ startedAt }) => startedAt.toISOString())]
  )
  const rows = await query<{ project_id: string; session_id: string; state: Known['state']; is_errored: boolean; seq: string }>(
    em,
    `SELECT project_id, session_id, state, is_errored, seq FROM error_session_states
     JOIN unnest($1::bigint[], $2::text[]) AS wanted (project_id, session_id) USING (project_id, session_id)
     ORDER BY 1, 2 FOR UPDATE OF error_session_states`,
    keys
  )

  return new Map<string, Known>(
    rows.map(row => [`${row.project_id} ${row.session_id}`, { state: row.state, isErrored: row.is_errored, seq: Number(row.seq) }])
  )
}

/** A session that has ended stays as it ended; an error is never taken back. */
function next(before: Known, { state, isErrored, seq }: SessionUpdate): Known | undefined {
  if (seq <= before.seq) return undefined
  const hasEnded = before.state !== 'new' && before.state !== 'ok'

  return { state: hasEnded ? before.state : state, isErrored: before.isErrored || isErrored, seq }
}

function difference(before: Known, after: Known, { projectId, startedAt, release, environment }: SessionUpdate): SessionAggregate {
  const was = bucketOf(before)
  const is = bucketOf(after)
  const change = (bucket: string) => Number(is === bucket) - Number(was === bucket)

  return {
    projectId,
    hour: hourOf(startedAt),
    release,
    environment,
    started: Number(before.state === 'new'),
    exited: change('exited'),
    errored: change('errored'),
    crashed: change('crashed'),
    abnormal: change('abnormal')
  }
}

/** A session counts in one place only: by how it ended badly, else by its errors, else by its end. */
function bucketOf({ state, isErrored }: Known) {
  if (state === 'crashed' || state === 'abnormal') return state

  return isErrored ? 'errored' : state
}

async function saveStates(em: EntityManager, updates: SessionUpdate[], known: Map<string, Known>) {
  const distinct = [...new Map(updates.map(update => [keyOf(update), update])).values()]
  const columns = <T>(read: (known: Known) => T) => distinct.map(update => read(known.get(keyOf(update))!))

  await query(
    em,
    `UPDATE error_session_states s SET state = u.state, is_errored = u.is_errored, seq = u.seq
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::bigint[]) AS u (project_id, session_id, state, is_errored, seq)
     WHERE s.project_id = u.project_id AND s.session_id = u.session_id`,
    [
      distinct.map(({ projectId }) => projectId),
      distinct.map(({ sessionId }) => sessionId),
      columns(({ state }) => state),
      columns(({ isErrored }) => isErrored),
      columns(({ seq }) => seq)
    ]
  )
}

/** Adds to the hours; callers see to it that nothing is added twice. */
export async function addSessionTallies(em: EntityManager, tallies: SessionAggregate[]) {
  const folded = fold(tallies)

  if (folded.length === 0) return
  await addReleases(em, folded)
  const columns = <T>(read: (tally: SessionAggregate) => T) => folded.map(read)

  await query(
    em,
    `INSERT INTO error_sessions AS s (project_id, hour, release, environment, started, exited, errored, crashed, abnormal)
     SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
                          $8::bigint[], $9::bigint[]) ORDER BY 1, 2, 3, 4
     ON CONFLICT (project_id, hour, release, environment) DO UPDATE SET
       started = s.started + EXCLUDED.started, exited = s.exited + EXCLUDED.exited, errored = s.errored + EXCLUDED.errored,
       crashed = s.crashed + EXCLUDED.crashed, abnormal = s.abnormal + EXCLUDED.abnormal`,
    [
      columns(({ projectId }) => projectId),
      columns(({ hour }) => hour.toISOString()),
      columns(({ release }) => release),
      columns(({ environment }) => environment),
      columns(({ started }) => started),
      columns(({ exited }) => exited),
      columns(({ errored }) => errored),
      columns(({ crashed }) => crashed),
      columns(({ abnormal }) => abnormal)
    ]
  )
}

/** A release that runs without a mistake is one, too. Of an hour that is over, its end is as near as is known. */
async function addReleases(em: EntityManager, tallies: SessionAggregate[]) {
  const columns = <T>(read: (tally: SessionAggregate) => T) => tallies.map(read)

  await query(
    em,
    `INSERT INTO error_releases AS r (project_id, version, first_seen_at, last_seen_at)
     SELECT project_id, release, min(at), max(at) FROM (
       SELECT project_id, release, hour, date_trunc('milliseconds', least(now(), hour + interval '1 hour')) AS at
       FROM unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS given (project_id, release, hour)
     ) s
     WHERE NOT EXISTS (SELECT FROM error_releases r WHERE r.project_id = s.project_id AND r.version = s.release AND r.last_seen_at >= s.hour)
     GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (project_id, version) DO UPDATE SET last_seen_at = greatest(r.last_seen_at, EXCLUDED.last_seen_at)`,
    [columns(({ projectId }) => projectId), columns(({ release }) => release), columns(({ hour }) => hour.toISOString())]
  )
}

function fold(tallies: SessionAggregate[]) {
  const folded = new Map<string, SessionAggregate>()

  for (const tally of tallies) {
    const key = `${tally.projectId} ${tally.hour.toISOString()} ${tally.release} ${tally.environment}`
    const known = folded.get(key)

    folded.set(key, known ? add(known, tally) : tally)
  }

  return [...folded.values()]
}

function add(a: SessionAggregate, b: SessionAggregate): SessionAggregate {
  return {
    ...a,
    started: a.started + b.started,
    exited: a.exited + b.exited,
    errored: a.errored + b.errored,
    crashed: a.crashed + b.crashed,
    abnormal: a.abnormal + b.abnormal
  }
}

function keyOf({ projectId, sessionId }: SessionUpdate) {
  return `${projectId} ${sessionId}`
}
