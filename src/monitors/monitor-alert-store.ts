import { hash } from 'node:crypto'
import { receiveAlerts } from '#alerts/jobs.ts'
import { type EntityManager, query } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'
import type { LockedEnvironment } from './environment-store.ts'
import type { Monitor } from './monitor.ts'
import type { Run } from './run-store.ts'

/** A monitor failed or recovered. */
export interface Change {
  environment: LockedEnvironment
  what: 'failed' | 'recovered'
  run: Run
  at: Date
}

/** Stores the alerts of changes with them, so that none is lost when the queue does not answer. */
export async function addMonitorAlerts(em: EntityManager, changes: Change[]) {
  const told = changes.filter(({ environment, what }) => !environment.isMuted || what === 'recovered')

  if (told.length === 0) return
  await query(em, 'INSERT INTO monitor_alerts (project_id, body) SELECT * FROM unnest($1::bigint[], $2::text[])', [
    told.map(({ environment }) => environment.projectId),
    told.map(change => JSON.stringify(payloadOf(change)))
  ])
}

const texts: Record<Run['status'], string> = {
  missed: 'did not run when it was expected',
  timeout: 'ran too long',
  error: 'failed',
  ok: 'runs again',
  in_progress: 'runs'
}

function textOfCheck({ status, reason }: Run) {
  return status === 'ok' ? 'is good again' : `failed: ${reason}`
}

/** Resolves what a monitor has opened, before it is deleted. */
export function recoverAll(em: EntityManager, { id, projectId, name, slug }: Monitor, at: Date) {
  return query(
    em,
    `INSERT INTO monitor_alerts (project_id, body)
     SELECT $2, $3::jsonb || jsonb_build_object('fingerprint', 'monitor-' || id) FROM monitor_environments WHERE monitor_id = $1 AND state = 'failing'`,
    [id, projectId, JSON.stringify({ title: name, service: slug, monitoring_tool: 'Tocsin', end_time: at.toISOString() })]
  )
}

/** In the format of the generic alert endpoint. The fingerprint makes the recovery resolve the alert of the failure. */
function payloadOf({ environment, what, run, at }: Change) {
  const { slug, name, kind, failures } = environment
  const environmentName = environment.environment || undefined
  const text = kind === 'http' ? textOfCheck(run) : texts[run.status]
  const inARow = failures > 1 ? `, ${failures} times in a row` : ''

  return {
    title: `${name} ${text}`,
    description: `The ${kind === 'http' ? 'check' : 'job'} ${name} ${text}${inARow}${run.status === 'missed' && run.expectedAt ? `: it was expected at ${run.expectedAt.toISOString()}` : ''}.`,
    severity: 'high',
    service: slug,
    monitoring_tool: 'Tocsin',
    environment: environmentName,
    gitlab_environment_name: environmentName,
    fingerprint: `monitor-${environment.id}`,
    start_time: at.toISOString(),
    ...(what === 'recovered' && { end_time: at.toISOString() })
  }
}

const maxSent = 500

/** Hands stored alerts to the queue. One that was handed over twice has the same id, and is processed once. */
export async function sendMonitorAlerts(em: EntityManager, queues: Pick<Queues, 'nameFor' | 'enqueueBatch'>) {
  for (;;) {
    const rows = await query<{ id: number; project_id: number; body: string; created_at: Date }>(
      em,
      'SELECT id, project_id, body, created_at FROM monitor_alerts ORDER BY id LIMIT $1',
      [maxSent]
    )

    if (rows.length === 0) return
    const items = rows.map(({ id, project_id: projectId, body, created_at: at }) => ({
      id: hash('md5', `monitor-alert ${id} ${at.toISOString()}`),
      projectId,
      integrationId: null,
      receivedAt: at.toISOString(),
      body
    }))

    for (const [name, batch] of Map.groupBy(items, item => queues.nameFor(receiveAlerts, item))) {
      await queues.enqueueBatch(receiveAlerts, name, batch)
    }
    await query(em, 'DELETE FROM monitor_alerts WHERE id = ANY ($1::bigint[])', [rows.map(({ id }) => id)])
  }
}
