import { LockMode } from '@mikro-orm/core'
import { Alert } from '#alerts/alert.ts'
import { recordNote as recordAlertNote } from '#alerts/alert-note.ts'
import type { Issue } from '#issues/issue.ts'
import { recordNote } from '#issues/issue-note.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'

/** Links an alert of the incident's project. An alert belongs to one incident at most. */
export function linkAlert(em: EntityManager, issue: Issue, alertIid: number, authorId: number) {
  return changeAlert(em, issue, alertIid, (em, alert) => {
    if (alert.issueId === issue.id) return
    if (alert.issueId) throw new ValidationFailed({ alert: ['The alert belongs to another incident'] })
    alert.issueId = issue.id
    recordNote(em, issue, authorId, 'alerts', `linked alert ^alert#${alertIid}`)
    recordAlertNote(em, alert, authorId, 'incident', `linked to incident #${issue.iid}`)
  })
}

export function unlinkAlert(em: EntityManager, issue: Issue, alertIid: number, authorId: number) {
  return changeAlert(em, issue, alertIid, (em, alert) => {
    if (alert.issueId !== issue.id) return
    alert.issueId = null
    recordNote(em, issue, authorId, 'alerts', `unlinked alert ^alert#${alertIid}`)
    recordAlertNote(em, alert, authorId, 'incident', `unlinked from incident #${issue.iid}`)
  })
}

/** Locks the incident before the alert, as closing it does. */
function changeAlert(em: EntityManager, issue: Issue, iid: number, change: (em: EntityManager, alert: Alert) => void) {
  return em.transactional(async em => {
    await lockRow(em, 'issues', issue.id)
    const alert = await em.findOne(Alert, { projectId: issue.projectId, iid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

    if (!alert) throw new ValidationFailed({ alert: ['There is no such alert in this project'] })
    change(em, alert)
  })
}
