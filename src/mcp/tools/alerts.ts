import Type from 'typebox'
import { alertStatuses } from '../../alerts/alert.ts'
import { findAlert, findMonitoredProject } from '../../alerts/find-alert.ts'
import { listAlerts as findAlerts } from '../../alerts/list-alerts.ts'
import type { AlertRow } from '../../alerts/load-alerts.ts'
import { presentAlert } from '../../alerts/routes/present-alert.ts'
import { presentAlertDetails } from '../../alerts/routes/present-alert-details.ts'
import { severities } from '../../lib/severity.ts'
import { bounded, codeBlock, compact, facts, line, section, sections } from '../markdown/markdown.ts'
import { writeNotes } from '../markdown/notes.ts'
import { defineTool, page, paging, project, type ToolContext } from '../tool.ts'

export const alertIid = Type.Integer({ description: 'Number of the alert in its project, from `list_alerts`.' })

export const listAlerts = defineTool({
  name: 'list_alerts',
  title: 'List alerts',
  description: 'Lists the alerts that monitoring tools sent to a project, newest first.',
  input: Type.Object({
    ...project,
    status: Type.Optional(Type.Enum([...alertStatuses])),
    severity: Type.Optional(Type.Enum([...severities])),
    environment: Type.Optional(Type.String({ maxLength: 255 })),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Text in the title, the description, the service or the monitoring tool.' })
    ),
    ...paging
  }),
  async run({ em, viewer, baseUrl }, { project: id, status, severity, environment, search, ...paging }) {
    const project = await findMonitoredProject(em, viewer, id)
    const filter = { projectId: project.id, statuses: status && [status], severities: severity && [severity], environment, search }
    const { rows, next_cursor } = await page<AlertRow, [number, number]>(paging, {
      shape: ['id', 'id'],
      positionOf: ({ iid }) => [iid, iid],
      list: (after, limit) => findAlerts(em, filter).listAfter(after, limit)
    })
    const alerts = rows.map(row => describe(presentAlert(row, project, baseUrl)))
    const text = rows
      .map(({ iid, title, ...row }) => `- ${iid}: ${line(title)} [${row.severity}, ${row.status}, ${row.events} events]`)
      .join('\n')

    return { text: text || 'No alerts match.', data: { alerts, next_cursor } }
  }
})

export const getAlert = defineTool({
  name: 'get_alert',
  title: 'Get an alert',
  description: 'Gets an alert with its custom fields, its incident and its notes.',
  input: Type.Object({ ...project, alert_iid: alertIid }),
  async run(context, { project: id, alert_iid }) {
    return showAlert(context, await findAlert(context.em, context.viewer, { id, alert_iid }))
  }
})

export async function showAlert({ em, baseUrl }: ToolContext, { project, alert }: Awaited<ReturnType<typeof findAlert>>) {
  const shown = await presentAlertDetails(em, alert, project, baseUrl)
  const { title, description, incident, ...values } = describe(shown)
  const details = bounded(JSON.stringify(shown.details, undefined, 2), 4000)
  const { notes, written } = writeNotes(shown.notes)

  return {
    text: sections(
      `# Alert ${alert.iid}: ${title}`,
      facts({ ...values, 'incident iid': incident }),
      section('Description', description && codeBlock(String(description))),
      section('Custom fields', details === '{}' ? undefined : codeBlock(details)),
      section('Notes', written)
    ),
    data: { alert: compact({ ...describe(shown), details: details === '{}' ? undefined : details }), notes }
  }
}

function describe(alert: ReturnType<typeof presentAlert>) {
  const {
    iid,
    title,
    description,
    severity,
    status,
    service,
    source,
    hosts,
    started_at,
    ended_at,
    event_count,
    runbook,
    issue_iid,
    web_url
  } = alert

  return compact({
    ...{
      iid,
      title: line(title, 500),
      status,
      severity,
      service,
      source,
      hosts: hosts.slice(0, 20),
      started_at,
      ended_at,
      event_count,
      runbook,
      web_url
    },
    description: description && bounded(description, 2000),
    environment: alert.environment?.name,
    assignees: alert.assignees.map(({ username }) => username),
    incident: issue_iid
  })
}
