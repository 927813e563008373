import { randomUUID } from 'node:crypto'
import type { Alert } from '#alerts/alert.ts'
import { AlertSetting } from '#alerts/alert-setting.ts'
import type { ProjectAlertChange } from '#alerts/process-alerts.ts'
import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { updateIncidents } from './jobs.ts'

/** One item per project for the changes of a batch; none for projects whose settings ask for no incidents. */
export async function incidentUpdatesOf(em: EntityManager, changes: ProjectAlertChange[]): Promise<ItemOf<typeof updateIncidents>[]> {
  if (changes.length === 0) return []
  const byProject = Map.groupBy(changes, ({ projectId }) => projectId)
  const settings = await em.find(
    AlertSetting,
    { projectId: { $in: [...byProject.keys()] }, $or: [{ createsIncidents: true }, { closesIncidents: true }] },
    { orderBy: { projectId: 'asc' } }
  )

  return settings.map(({ projectId }) => {
    const changes = byProject.get(projectId)!
    const iids = (became: string) => [...new Set(changes.filter(change => change.became === became).map(({ iid }) => iid))]

    const { requestId: cause, chain } = changes[0]!

    return { projectId, cause, triggered: iids('triggered'), resolved: iids('resolved'), ...(chain && { chain }) }
  })
}

/**
 * Enqueues closing the incident of an alert that a user resolved. Not only when the status has changed:
 * the client repeats a request that failed before the job was enqueued.
 */
export function enqueueResolved(queues: Queues, alert: Alert, by: Actor) {
  return enqueueAllResolved(queues, [alert], by)
}

/** The same for alerts of several projects. */
export async function enqueueAllResolved(queues: Queues, alerts: Alert[], { chain }: Actor) {
  const resolved = alerts.filter(({ issueId, status }) => status === 'resolved' && issueId)

  for (const [projectId, ofProject] of Map.groupBy(resolved, ({ projectId }) => projectId)) {
    const iids = ofProject.map(({ iid }) => iid)

    await queues.enqueue(updateIncidents, { projectId, cause: randomUUID(), triggered: [], resolved: iids, ...(chain && { chain }) })
  }
}
