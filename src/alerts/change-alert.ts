import { type Actor, record } from '../audit/record-audit-event.ts'
import { NoneGiven, ValidationFailed } from '../http/problems/problems.ts'
import { assign } from '../issues/assign-issue.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import { lockCounters } from '../projects/counters.ts'
import type { Project } from '../projects/project.ts'
import type { Alert, AlertStatus } from './alert.ts'
import { noteDown } from './record-note.ts'

/** What somebody decides about an alert. */
export interface Decision {
  status?: AlertStatus
  assigneeIds?: number[]
}

interface Subject {
  project: Project
  alert: Alert
}

/** Each change is a line of the alert's history, and accounted for. */
export async function changeAlert(em: EntityManager, { project, alert }: Subject, decision: Decision, by: Actor, at: Date) {
  if (decision.status === undefined && decision.assigneeIds === undefined) throw new NoneGiven('status', 'assignee_ids')

  await em.transactional(async em => {
    // Whoever opens an alert does so alone; held before the alert itself, as intake does it.
    if (decision.status && decision.status !== 'resolved') await lockCounters(em, 'alerts', [project.id])
    // Somebody else, or the monitoring tool, may be changing it, too.
    await em.refresh(alert, { lockMode: 4 })
    const from = alert.status
    const isChanged = decision.status !== undefined && alert.changeStatus(decision.status, at)

    if (isChanged) {
      if (from === 'resolved') await checkIsOnlyOpen(em, alert)
      noteDown(em, alert, by.user?.id ?? null, 'status', `changed the status to **${alert.status}**`)
    }
    const assigned = decision.assigneeIds && (await assign(em, 'alert', alert, decision.assigneeIds))

    if (assigned) noteDown(em, alert, by.user?.id ?? null, 'assignees', assigned)
    record(em, by, {
      name: 'alert_updated',
      entity: project.audited(),
      target: { type: 'Alert', id: alert.iid, details: alert.title },
      details: { ...(isChanged && { change: 'status', from, to: alert.status }), ...pick(decision) }
    })
  })
}

function pick({ assigneeIds }: Decision) {
  return assigneeIds && { assignee_ids: assigneeIds }
}

/** Of one fingerprint only one alert may be open, or its next occurrence would not know where it belongs. */
async function checkIsOnlyOpen(em: EntityManager, { id, projectId, fingerprint }: Alert) {
  const others = await query(em, `SELECT FROM alerts WHERE project_id = $1 AND fingerprint = $2 AND status <> 'resolved' AND id <> $3`, [
    projectId,
    fingerprint,
    id
  ])

  if (others.length > 0) throw new ValidationFailed({ fingerprint: ['Cannot have multiple unresolved alerts'] })
}
