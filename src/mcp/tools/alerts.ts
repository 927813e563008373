import Type from 'typebox'
import { alertStatuses } from '#alerts/alert.ts'
import { findAlert, findMonitoredProject } from '#alerts/find-alert.ts'
import { listAlerts as findAlerts } from '#alerts/list-alerts.ts'
import { presentAlert } from '#alerts/present-alert.ts'
import { severities } from '#lib/severity.ts'
import { page, paging, toList } from '../page.ts'
import { describeAlert, presentAlertFully, showAlert, summarizeAlert } from '../present/alert.ts'
import { partOf, requirePart, showPart } from '../text-part.ts'
import { defineTool, project } from '../tool.ts'

export const alertIid = Type.Integer({ description: 'Alert number in its project, from `list_alerts`.' })

export const listAlerts = defineTool({
  name: 'list_alerts',
  title: 'List alerts',
  description: 'Lists the alerts that monitoring tools sent to a project, newest first.',
  input: {
    ...project,
    status: Type.Optional(Type.Enum([...alertStatuses])),
    severity: Type.Optional(Type.Enum([...severities])),
    environment: Type.Optional(Type.String({ maxLength: 255 })),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Text in the title, the description, the service or the monitoring tool.' })
    ),
    ...paging
  },
  async run({ em, viewer, baseUrl }, { project: id, status, severity, environment, search, ...paging }) {
    const project = await findMonitoredProject(em, viewer, id)
    const filter = { projectIds: [project.id], statuses: status && [status], severities: severity && [severity], environment, search }
    const alerts = await page(paging, findAlerts(em, filter), rows => rows.map(row => describeAlert(presentAlert(row, project, baseUrl))))

    return toList('alerts', alerts, summarizeAlert, 'No alerts match.')
  }
})

export const getAlert = defineTool({
  name: 'get_alert',
  title: 'Get an alert',
  description: 'Gets an alert with its custom fields, its incident and its notes. With `part`, one long text in full.',
  input: { ...project, alert_iid: alertIid, ...partOf('description', 'details') },
  async run(context, { project: id, alert_iid, part, offset }) {
    const subject = await findAlert(context.em, context.viewer, { id, alert_iid })

    if (!part) requirePart({ offset })
    if (!part) return showAlert(context, subject)
    const { texts } = await presentAlertFully(context, subject)

    return showPart({ alert_iid }, { part, text: texts[part], offset })
  }
})
