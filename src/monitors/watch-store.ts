import { type EntityManager, query } from '#platform/database/database.ts'
import { environmentColumns, type LockedEnvironment } from './environment-store.ts'
import { type Run, runColumns } from './run-store.ts'

/** Environments whose run did not begin in time. Those that a check-in is just changing are looked at the next time. */
export function lockMissed(em: EntityManager, at: Date, limit: number) {
  return query<LockedEnvironment>(
    em,
    `SELECT ${environmentColumns} FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id
     WHERE e.missed_at <= $1 ORDER BY e.missed_at LIMIT $2 FOR UPDATE OF e SKIP LOCKED`,
    [at.toISOString(), limit]
  )
}

/** Runs that take too long, each with its environment, locked. */
export async function lockLate(em: EntityManager, at: Date, limit: number) {
  const runs = await query<Run>(
    em,
    `SELECT ${runColumns} FROM monitor_runs r JOIN monitor_environments e ON e.id = r.environment_id
     WHERE r.late_at <= $1 ORDER BY r.late_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [at.toISOString(), limit]
  )
  const environments = await query<LockedEnvironment>(
    em,
    `SELECT ${environmentColumns} FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id WHERE e.id = ANY ($1::bigint[])`,
    [runs.map(({ environmentId }) => environmentId)]
  )
  const byId = new Map(environments.map(environment => [environment.id, environment]))

  return runs.map(run => ({ run, environment: byId.get(run.environmentId)! }))
}
