import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { MissingParameters, ValidationFailed } from '#lib/refusals.ts'
import { addRuleEntries } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockCounters } from '#projects/counter-store.ts'
import { type AssigneeChange, assign } from '#projects/members/assignees.ts'
import type { Project } from '#projects/project.ts'
import { Alert, type AlertStatus } from './alert.ts'
import { recordNote } from './alert-note.ts'

export interface AlertChanges {
  status?: AlertStatus
  assigneeIds?: AssigneeChange
}

interface Subject {
  project: Project
  alert: Alert
}

/** Changes status and assignees of an alert. Each change gets a system note, the request an audit event. */
export async function changeAlert(em: EntityManager, { project, alert }: Subject, changes: AlertChanges, by: Actor, at: Date) {
  const { status, assigneeIds } = changes

  if (status === undefined && assigneeIds === undefined) throw new MissingParameters('status', 'assignee_ids')
  await em.transactional(async em => {
    await lockForStatus(em, project, status)
    await lockForChange(em, alert)
    await applyChanges(em, { project, alert }, changes, by, at)
  })
}

/** Serialises with intake, which opens alerts under the same lock and takes it first, too. */
export async function lockForStatus(em: EntityManager, { id }: Project, status: AlertStatus | undefined) {
  if (status && status !== 'resolved') await lockCounters(em, 'alerts', [id])
}

/** The caller holds the lock of the alert and of its status. A change that is refused has changed nothing. */
export async function applyChanges(em: EntityManager, { project, alert }: Subject, changes: AlertChanges, by: Actor, at: Date) {
  const { status, assigneeIds } = changes
  const from = alert.status

  if (status && status !== 'resolved' && from === 'resolved') await checkOnlyOpen(em, alert)
  const assigned = assigneeIds && (await assign(em, 'alert', alert, assigneeIds))
  const isChanged = status !== undefined && alert.changeStatus(status, at)

  if (isChanged) {
    recordNote(em, alert, by.user?.id ?? null, 'status', `changed the status to **${status}**`)
    await addStatusToOutbox(em, alert, by)
  }
  if (assigned) recordNote(em, alert, by.user?.id ?? null, 'assignees', assigned.note)
  recordAuditEvent(em, by, {
    name: 'alert_updated',
    entity: project.audited(),
    target: { type: 'Alert', id: alert.iid, details: alert.title },
    details: {
      ...(isChanged && { change: 'status', from, to: status }),
      ...(Array.isArray(assigneeIds) && { assignee_ids: assigneeIds })
    }
  })
}

async function addStatusToOutbox(em: EntityManager, { id, projectId, status }: Alert, by: Actor) {
  if (status === 'ignored') return
  await addRuleEntries(em, [{ kind: `alert.${status as Exclude<AlertStatus, 'ignored'>}`, projectId, subjectId: id, actorId: by.user?.id }])
}

/** At most one alert of a fingerprint is unresolved: intake has to know which one to count or resolve. */
async function checkOnlyOpen(em: EntityManager, { id, projectId, fingerprint }: Alert) {
  if (!fingerprint) return
  // Another one may have been reopened in this transaction.
  await em.flush()
  const open = await em.count(Alert, { projectId, fingerprint, status: { $ne: 'resolved' }, id: { $ne: id } })

  if (open > 0) throw new ValidationFailed({ fingerprint: ['Cannot have multiple unresolved alerts'] })
}
