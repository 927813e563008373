import { LockMode } from '@mikro-orm/core'
import { Alert } from '#alerts/alert.ts'
import { recordNote } from '#alerts/alert-note.ts'
import type { Actor } from '#audit/record-audit-event.ts'
import { changeIssue, type IssueChanges } from '#issues/change-issue.ts'
import { closeIssue } from '#issues/close-issue.ts'
import { Issue } from '#issues/issue.ts'
import type { EntityManager } from '#platform/database/database.ts'

/** Changes an issue; closing an incident also resolves its alerts. */
export function changeIncident(em: EntityManager, issue: Issue, changes: IssueChanges, by: Actor, at: Date) {
  return em.transactional(async em => {
    if (await changeIssue(em, issue, changes, by, at)) await resolveAlerts(em, issue, by.user?.id ?? null, at)
  })
}

interface ResolvedAlert {
  projectId: number
  iid: number
  /** The webhook event that led to it. */
  chain: string | undefined
}

/** Closes the incident of a resolved alert, unless another alert of the incident is unresolved. */
export function closeIncidentOf(em: EntityManager, { projectId, iid, chain }: ResolvedAlert, at: Date) {
  return em.fork().transactional(async em => {
    const alert = await em.findOne(Alert, { projectId, iid })

    if (!alert?.issueId) return
    const issue = await em.findOne(Issue, alert.issueId, { lockMode: LockMode.PESSIMISTIC_WRITE })
    const unresolved = await em.count(Alert, { issueId: alert.issueId, status: { $ne: 'resolved' } })

    if (!issue || unresolved > 0) return
    await closeIssue(em, issue, { authorId: null, chain, at, note: `closed, as alert ^alert#${iid} was resolved` })
  })
}

async function resolveAlerts(em: EntityManager, { id: issueId, iid }: Issue, authorId: number | null, at: Date) {
  const alerts = await em.find(
    Alert,
    { issueId, status: { $ne: 'resolved' } },
    { orderBy: { iid: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }
  )

  for (const alert of alerts) {
    if (alert.changeStatus('resolved', at)) recordNote(em, alert, authorId, 'status', `resolved, as its incident #${iid} was closed`)
  }
}
