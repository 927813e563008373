import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import type { LockedEnvironment } from './environment-store.ts'

/** Kept of each environment of a monitor. */
export const keptRuns = 100

export interface Run {
  environmentId: number
  run: number
  checkInId: string
  status: 'in_progress' | 'ok' | 'error' | 'missed' | 'timeout'
  expectedAt: Date | null
  startedAt: Date
  durationMs: number | null
  /** When it has run too long. */
  lateAt: Date | null
  /** Why the check of a URL failed. */
  reason: string | null
}

/** The next run of an environment. */
export function newRun(environment: Pick<LockedEnvironment, 'id' | 'runs' | 'dueAt'>, checkInId: string, startedAt: Date): Run {
  environment.runs++

  return {
    environmentId: environment.id,
    run: environment.runs,
    checkInId,
    status: 'in_progress',
    expectedAt: environment.dueAt,
    startedAt,
    durationMs: null,
    lateAt: null,
    reason: null
  }
}

export const runColumns = `r.environment_id AS "environmentId", r.run, replace(r.check_in_id::text, '-', '') AS "checkInId", r.status,
  r.expected_at AS "expectedAt", r.started_at AS "startedAt", r.duration_ms AS "durationMs", r.late_at AS "lateAt", r.reason`

const rows = rowSet<Run>({
  environment_id: ['bigint', row => row.environmentId],
  slot: ['smallint', row => row.run % keptRuns],
  run: ['bigint', row => row.run],
  check_in_id: ['uuid', row => row.checkInId],
  status: ['text', row => row.status],
  expected_at: ['timestamptz', row => row.expectedAt],
  started_at: ['timestamptz', row => row.startedAt],
  duration_ms: ['bigint', row => row.durationMs],
  late_at: ['timestamptz', row => row.lateAt],
  reason: ['text', row => row.reason]
})

/** A new run replaces the one a hundred runs before; a run that was replaced meanwhile stays so. */
export async function writeRuns(em: EntityManager, runs: Run[]) {
  // A statement must not write a row twice: of a slot, the newest run counts.
  const newest = [
    ...new Map(runs.toSorted((a, b) => a.run - b.run).map(run => [`${run.environmentId} ${run.run % keptRuns}`, run])).values()
  ]

  await query(
    em,
    `INSERT INTO monitor_runs (${rows.names}) SELECT * FROM ${rows.source} ORDER BY environment_id, slot
     ON CONFLICT (environment_id, slot) DO UPDATE SET run = excluded.run, check_in_id = excluded.check_in_id, status = excluded.status,
       expected_at = excluded.expected_at, started_at = excluded.started_at, duration_ms = excluded.duration_ms, late_at = excluded.late_at,
       reason = excluded.reason
     WHERE monitor_runs.run <= excluded.run`,
    rows.params(newest)
  )
}

/** The runs of an environment, the newest first. */
export function listRuns(em: EntityManager, environmentIds: number[]) {
  return query<Run>(em, `SELECT ${runColumns} FROM monitor_runs r WHERE r.environment_id = ANY ($1::bigint[]) ORDER BY r.run DESC`, [
    environmentIds
  ])
}
