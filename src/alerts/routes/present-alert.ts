import { writeTime } from '../../http/parameters/time.ts'
import { presentPerson } from '../../projects/present-project.ts'
import type { Project } from '../../projects/project.ts'
import type { ShownAlert } from '../alert-row.ts'
import { alertUrl } from '../alert-url.ts'

export function presentAlert(alert: ShownAlert, { id: projectId }: Project, baseUrl: string) {
  const { environment } = alert

  return {
    id: alert.id,
    iid: alert.iid,
    project_id: alert.project_id,
    title: alert.title,
    description: alert.description,
    severity: alert.severity,
    status: alert.status,
    service: alert.service,
    monitoring_tool: alert.monitoring_tool,
    source: alert.monitoring_tool ?? alert.integration?.name ?? 'Generic Alert Endpoint',
    hosts: alert.hosts,
    started_at: writeTime(alert.started_at),
    ended_at: alert.ended_at && writeTime(alert.ended_at),
    event_count: alert.events,
    fingerprint: alert.fingerprint,
    environment: environment === null ? null : presentEnvironment(environment, `${baseUrl}/api/v4/projects/${projectId}`),
    service_environment_name: environment,
    gitlab_environment_name: environment,
    runbook: alert.runbook,
    metric_expression: alert.metric_expression,
    integration: alert.integration,
    issue_iid: alert.issue?.iid ?? null,
    assignees: alert.assignees.map(person => presentPerson(person, baseUrl)),
    reference: `^alert#${alert.iid}`,
    web_url: alertUrl(baseUrl, projectId, alert.iid),
    created_at: writeTime(alert.created_at),
    updated_at: writeTime(alert.updated_at)
  }
}

/** An environment of the project is what its alerts and its errors call by one name. */
function presentEnvironment(name: string, project: string) {
  const ofIt = `environment=${encodeURIComponent(name)}`

  return { name, alerts_url: `${project}/alert_management_alerts?${ofIt}`, errors_url: `${project}/error_tracking/errors?${ofIt}` }
}
