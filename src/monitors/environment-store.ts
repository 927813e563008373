import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import type { Monitor } from './monitor.ts'
import { type MonitorState, type Rules, setDue } from './monitor-state.ts'
import { leaseMs } from './next-check.ts'

/** An environment of a monitor, locked, with what decides about its runs. */
export interface LockedEnvironment extends MonitorState, Rules {
  id: number
  projectId: number
  monitorId: number
  slug: string
  name: string
  environment: string
  isMuted: boolean
  runs: number
  kind: Monitor['kind']
  /** When the next check of a URL may be taken. */
  checkAt: Date | null
}

export const environmentColumns = `e.id, m.project_id AS "projectId", m.id AS "monitorId", m.slug, m.name, e.environment, m.is_muted AS "isMuted",
  e.runs, e.state, e.failures, e.successes, e.last_run_at AS "lastRunAt", e.due_at AS "dueAt", e.missed_at AS "missedAt", e.check_at AS "checkAt", m.kind, m.schedule, m.timezone,
  m.margin_minutes AS "marginMinutes", m.max_run_minutes AS "maxRunMinutes", m.failure_threshold AS "failureThreshold",
  m.recovery_threshold AS "recoveryThreshold"`

const states = rowSet<LockedEnvironment>({
  id: ['bigint', row => row.id],
  state: ['text', row => row.state],
  failures: ['integer', row => row.failures],
  successes: ['integer', row => row.successes],
  runs: ['bigint', row => row.runs],
  last_run_at: ['timestamptz', row => row.lastRunAt],
  due_at: ['timestamptz', row => row.dueAt],
  missed_at: ['timestamptz', row => row.missedAt],
  check_at: ['timestamptz', row => row.checkAt]
})

export function writeEnvironments(em: EntityManager, environments: LockedEnvironment[]) {
  return query(
    em,
    `UPDATE monitor_environments e SET state = given.state, failures = given.failures, successes = given.successes, runs = given.runs,
       last_run_at = given.last_run_at, due_at = given.due_at, missed_at = given.missed_at,
       check_at = given.check_at
     FROM ${states.source} WHERE e.id = given.id`,
    states.params(environments)
  )
}

/** The schedule was changed: what is due is decided anew. */
export async function reschedule(em: EntityManager, monitorId: number, at: Date) {
  const rows = await query<LockedEnvironment>(
    em,
    `SELECT ${environmentColumns} FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id WHERE m.id = $1 ORDER BY e.id FOR UPDATE OF e`,
    [monitorId]
  )

  for (const row of rows) row.kind === 'http' ? checkSoon(row, at) : setDue(row, at, row)
  await writeEnvironments(em, rows)
}

/** Not before the lease of a check that is in flight ends. */
function checkSoon(row: LockedEnvironment, at: Date) {
  const soon = new Date(at.getTime() + leaseMs)

  if (row.checkAt && row.checkAt < soon) return
  row.checkAt = row.dueAt = soon
}
