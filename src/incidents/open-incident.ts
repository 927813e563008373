import { Alert } from '../alerts/alert.ts'
import { alertUrl } from '../alerts/alert-url.ts'
import { noteDown } from '../alerts/record-note.ts'
import type { AlertSetting } from '../alerts/settings/alert-setting.ts'
import { type Severity, severities } from '../alerts/severity.ts'
import { createIssue } from '../issues/create-issue.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { Project } from '../projects/project.ts'
import { describe } from './describe-incident.ts'

export interface Opening {
  projectId: number
  iid: number
  baseUrl: string
  setting?: AlertSetting | null
  /** Who asks for it; otherwise it is the project's setting that does, and has its conditions. */
  authorId?: number
}

/** Makes an incident of an alert that has none. Doing it again changes nothing. Tells the incident's id, as long as there is one. */
export function openIncident(em: EntityManager, { projectId, iid, baseUrl, setting, authorId }: Opening) {
  return em.fork().transactional(async em => {
    const alert = await em.findOne(Alert, { projectId, iid }, { lockMode: 4, populate: ['payload'] })
    const project = await em.findOne(Project, projectId)

    if (!alert || !project) return undefined
    if (alert.issueId) return alert.issueId
    if (authorId === undefined && (alert.status === 'resolved' || !reaches(alert.severity, setting?.severityFloor))) return undefined
    const url = alertUrl(baseUrl, projectId, iid)
    const issue = await createIssue(em, {
      projectId,
      issueType: 'incident',
      title: alert.title,
      description: describe(alert, { url, template: setting?.incidentTemplate }),
      severity: alert.severity,
      authorId: authorId ?? null
    })

    alert.issueId = issue.id
    noteDown(em, alert, authorId ?? null, 'incident', `opened incident #${issue.iid}`)
    await em.flush()

    return issue.id
  })
}

/** Whether something is as grave as a project asks for. */
function reaches(severity: Severity, floor: Severity = 'unknown') {
  return severities.indexOf(severity) <= severities.indexOf(floor)
}
