import { randomUUID } from 'node:crypto'
import { type EntityManager, query } from '#platform/database/database.ts'
import type { CheckIn } from './check-in.ts'
import { environmentColumns, type LockedEnvironment, writeEnvironments } from './environment-store.ts'
import { addMonitorAlerts, type Change } from './monitor-alert-store.ts'
import { countOutcome, expectNext } from './monitor-state.ts'
import { newRun, type Run, runColumns, writeRuns } from './run-store.ts'
import { ensureMonitors } from './upsert-store.ts'

/**
 * Stores check-ins in the order of their arrival, in the caller's transaction. Monitors and environments that are new are made. Returns
 * the check-ins that would exceed a limit of their project, and whether there are alerts to send.
 */
export async function storeCheckIns(em: EntityManager, checkIns: CheckIn[]) {
  if (checkIns.length === 0) return { refused: [], hasAlerts: false }
  const ordered = checkIns.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())

  await ensureMonitors(em, ordered)
  const environments = await lockEnvironments(em, ordered)
  const known = await findRuns(em, environments, ordered)
  const runs = new Map<string, Run>()
  const changes: Change[] = []
  const refused: CheckIn[] = []

  for (const checkIn of ordered) {
    const environment = environments.get(keyOf(checkIn))

    if (!environment) {
      refused.push(checkIn)
      continue
    }
    const run = findRun(known.get(environment.id) ?? [], checkIn)
    const change = apply(environment, run, checkIn)

    known.set(environment.id, [...(known.get(environment.id) ?? []).filter(({ run: n }) => n !== change.run.run), change.run])
    runs.set(`${environment.id} ${change.run.run}`, change.run)
    if (change.what) changes.push({ environment: { ...environment }, what: change.what, run: change.run, at: checkIn.receivedAt })
  }
  await writeRuns(em, [...runs.values()])
  await writeEnvironments(em, [...environments.values()])
  await addMonitorAlerts(em, changes)

  return { refused, hasAlerts: changes.length > 0 }
}

function keyOf({ projectId, slug, environment }: Pick<CheckIn, 'projectId' | 'slug' | 'environment'>) {
  return `${projectId} ${slug} ${environment}`
}

async function lockEnvironments(em: EntityManager, checkIns: CheckIn[]) {
  const rows = await query<LockedEnvironment>(
    em,
    `SELECT ${environmentColumns} FROM monitor_environments e JOIN monitors m ON m.id = e.monitor_id
     WHERE m.kind = 'cron' AND (m.project_id, m.slug, e.environment) IN (SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[]))
     ORDER BY e.id FOR UPDATE OF e`,
    [checkIns.map(one => one.projectId), checkIns.map(({ slug }) => slug), checkIns.map(({ environment }) => environment)]
  )

  return new Map(rows.map(row => [keyOf(row), row]))
}

/** The runs that the check-ins may belong to. */
async function findRuns(em: EntityManager, environments: Map<string, LockedEnvironment>, checkIns: CheckIn[]) {
  const ids = checkIns.map(checkIn => environments.get(keyOf(checkIn))?.id)
  const rows = await query<Run>(
    em,
    `SELECT ${runColumns} FROM monitor_runs r
     WHERE r.environment_id = ANY ($1::bigint[]) AND (r.check_in_id = ANY ($2::uuid[]) OR r.status = 'in_progress')
     ORDER BY r.environment_id, r.run`,
    [ids.filter(id => id !== undefined), checkIns.flatMap(({ id }) => id ?? [])]
  )

  return Map.groupBy(rows, ({ environmentId }) => environmentId)
}

function findRun(runs: Run[], { id }: CheckIn) {
  return id === undefined ? runs.findLast(({ status }) => status === 'in_progress') : runs.find(({ checkInId }) => checkInId === id)
}

/** Begins a run, or ends the one that the check-in belongs to. */
function apply(environment: LockedEnvironment, found: Run | undefined, checkIn: CheckIn) {
  const { receivedAt, status, durationMs = null } = checkIn
  const run = found ? { ...found } : newRun(environment, checkIn.id ?? randomUUID().replaceAll('-', ''), startOf(checkIn))

  if (!found) expectNext(environment, receivedAt, environment)
  // Its end overtook its beginning, or it is told twice.
  if (found && (status === 'in_progress' || found.status === status)) return { run }
  // A run that took too long has failed, even if it ends well.
  const isCounted = !found || found.status === 'in_progress'

  if (status === 'in_progress')
    return { run: { ...run, status, lateAt: new Date(receivedAt.getTime() + environment.maxRunMinutes * 60_000) } }
  const ended: Run = {
    ...run,
    status,
    lateAt: null,
    durationMs: durationMs ?? (found ? receivedAt.getTime() - found.startedAt.getTime() : null)
  }

  return { run: ended, what: isCounted ? countOutcome(environment, status, environment) : undefined }
}

function startOf({ receivedAt, durationMs = 0 }: CheckIn) {
  return new Date(receivedAt.getTime() - durationMs)
}
