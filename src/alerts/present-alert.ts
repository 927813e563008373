import { writeTime } from '#lib/time.ts'
import { presentPerson } from '#projects/present-project.ts'
import type { Project } from '#projects/project.ts'
import { alertUrl } from './alert.ts'
import type { AlertRow } from './load-alerts.ts'

/** The row's columns are attributes of `AlertShape`, except for those changed here. */
export function presentAlert({ events, issue, ...alert }: AlertRow, { id: projectId }: Project, baseUrl: string) {
  const { environment } = alert

  return {
    ...alert,
    source: alert.monitoring_tool ?? alert.integration?.name ?? 'Generic Alert Endpoint',
    started_at: writeTime(alert.started_at),
    ended_at: alert.ended_at && writeTime(alert.ended_at),
    last_seen_at: writeTime(alert.last_seen_at),
    event_count: events,
    environment: environment === null ? null : presentEnvironment(environment, `${baseUrl}/api/v4/projects/${projectId}`),
    service_environment_name: environment,
    gitlab_environment_name: environment,
    issue_iid: issue?.iid ?? null,
    assignees: alert.assignees.map(person => presentPerson(person, baseUrl)),
    reference: `^alert#${alert.iid}`,
    web_url: alertUrl(baseUrl, projectId, alert.iid),
    created_at: writeTime(alert.created_at),
    updated_at: writeTime(alert.updated_at)
  }
}

/** Alerts and errors of one environment share its name. */
function presentEnvironment(name: string, projectUrl: string) {
  const filter = `environment=${encodeURIComponent(name)}`

  return {
    name,
    alerts_url: `${projectUrl}/alert_management_alerts?${filter}`,
    errors_url: `${projectUrl}/error_tracking/errors?${filter}`
  }
}
