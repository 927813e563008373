import { randomUUID } from 'node:crypto'
import { type EntityManager, query } from '#platform/database/database.ts'
import { environmentColumns, type LockedEnvironment, writeEnvironments } from './environment-store.ts'
import type { HttpCheck } from './http-check.ts'
import { addMonitorAlerts, type Change } from './monitor-alert-store.ts'
import { countOutcome } from './monitor-state.ts'
import { leaseMs, nextCheck } from './next-check.ts'
import { newRun, type Run, writeRuns } from './run-store.ts'

/** A check that is taken: no one else does it until its lease ends. */
export interface DueCheck {
  environmentId: number
  projectId: number
  http: HttpCheck
  httpHeaders: Buffer | null
  leaseEndsAt: Date
}

export interface DoneCheck extends Pick<DueCheck, 'environmentId' | 'leaseEndsAt'> {
  startedAt: Date
  durationMs: number
  /** Why it failed. */
  reason: string | undefined
}

interface Wanted {
  at: Date
  limit: number
  /** Projects that have enough checks in flight. */
  busy: number[]
}

/** Takes checks that are due, those that wait longest first. */
export function takeDueChecks(em: EntityManager, { at, limit, busy }: Wanted) {
  return query<DueCheck>(
    em,
    `WITH due AS (
       SELECT e.id FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id JOIN projects p ON p.id = m.project_id
       WHERE e.check_at <= $1 AND m.project_id <> ALL ($3::bigint[]) AND NOT p.is_archived AND p.marked_for_deletion_at IS NULL
       ORDER BY e.check_at LIMIT $4 FOR UPDATE OF e SKIP LOCKED)
     UPDATE monitor_environments e SET check_at = $2 FROM due, monitors m WHERE e.id = due.id AND m.id = e.monitor_id
     RETURNING e.id AS "environmentId", m.project_id AS "projectId", m.http, m.http_headers AS "httpHeaders", e.check_at AS "leaseEndsAt"`,
    [at.toISOString(), new Date(at.getTime() + leaseMs).toISOString(), busy, limit]
  )
}

/** Stores how checks went, in the caller's transaction. Returns whether there are alerts to send. */
export async function storeChecks(em: EntityManager, checks: DoneCheck[], at: Date) {
  const byEnvironment = new Map(checks.map(check => [check.environmentId, check]))
  const locked = await query<LockedEnvironment>(
    em,
    `SELECT ${environmentColumns} FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id
     WHERE e.id = ANY ($1::bigint[]) ORDER BY e.id FOR UPDATE OF e`,
    [[...byEnvironment.keys()]]
  )
  // A check that outlasted its lease was taken by someone else.
  const outcomes = locked
    .map(environment => ({ environment, check: byEnvironment.get(environment.id)! }))
    .filter(({ environment, check }) => environment.checkAt?.getTime() === check.leaseEndsAt.getTime())
    .map(({ environment, check }) => endCheck(environment, check, at))
  const changes = outcomes.flatMap(({ change }) => change ?? [])

  await writeRuns(
    em,
    outcomes.map(({ run }) => run)
  )
  await writeEnvironments(
    em,
    outcomes.map(({ environment }) => environment)
  )
  await addMonitorAlerts(em, changes)

  return changes.length > 0
}

function endCheck(environment: LockedEnvironment, { startedAt, durationMs, reason }: DoneCheck, at: Date) {
  const status = reason === undefined ? 'ok' : 'error'
  const run: Run = { ...newRun(environment, randomUUID(), startedAt), status, durationMs, reason: reason ?? null }
  const next = nextCheck(environment.monitorId, environment.schedule!, at)
  const what = countOutcome(environment, status, environment)

  Object.assign(environment, { lastRunAt: startedAt, dueAt: next, checkAt: next })

  return { environment, run, change: what && ({ environment: { ...environment }, what, run, at } satisfies Change) }
}

/** The first check of a new monitor is due at once. Its only environment has no name. */
export function addFirstCheck(em: EntityManager, monitorId: number, at: Date) {
  return query(em, "INSERT INTO monitor_environments (monitor_id, environment, due_at, check_at) VALUES ($1, '', $2, $2)", [
    monitorId,
    at.toISOString()
  ])
}
