import { LockMode } from '@mikro-orm/core'
import { Alert } from '#alerts/alert.ts'
import { recordNote } from '#alerts/alert-note.ts'
import type { AlertSetting } from '#alerts/alert-setting.ts'
import { createIssue } from '#issues/create-issue.ts'
import { recordNote as recordIssueNote } from '#issues/issue-note.ts'
import { severities } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { describeIncident } from './describe-incident.ts'

interface NewIncident {
  projectId: number
  iid: number
  baseUrl: string
  setting: AlertSetting
  /** Undefined when opened automatically, which needs an open alert of at least the minimum severity. */
  authorId?: number
  /** The webhook event that led to it. */
  chain: string | undefined
}

/** Returns the id of the new or existing incident; undefined if the alert is gone or does not qualify, or the project has no issues. */
export function openIncident(em: EntityManager, { projectId, iid, baseUrl, setting, authorId, chain }: NewIncident) {
  return em.fork().transactional(async em => {
    const alert = await em.findOne(Alert, { projectId, iid }, { lockMode: LockMode.PESSIMISTIC_WRITE, populate: ['payload'] })

    if (!alert) return undefined
    if (alert.issueId) return alert.issueId
    if ((await em.count(Project, { id: projectId, issuesAccessLevel: { $ne: 'disabled' } })) === 0) return undefined
    if (authorId === undefined && !isAutomatic(alert, setting)) return undefined
    const issue = await createIssue(em, {
      projectId,
      issueType: 'incident',
      title: alert.title,
      description: describeIncident(alert, alert.url(baseUrl), setting.incidentTemplate),
      severity: alert.severity,
      authorId: authorId ?? null,
      chain
    })

    alert.issueId = issue.id
    recordNote(em, alert, authorId ?? null, 'incident', `opened incident #${issue.iid}`)
    recordIssueNote(em, issue, authorId ?? null, 'alerts', `linked alert ^alert#${alert.iid}`)
    await em.flush()

    return issue.id
  })
}

function isAutomatic({ status, severity }: Alert, { severityFloor }: AlertSetting) {
  return (status === 'triggered' || status === 'acknowledged') && severities.indexOf(severity) <= severities.indexOf(severityFloor)
}
