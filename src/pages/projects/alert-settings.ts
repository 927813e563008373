import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AlertSetting, SettingValues } from '#alerts/alert-setting.ts'
import { changeSetting, findSetting } from '#alerts/change-setting.ts'
import { redirect } from '#api/redirect.ts'
import { severities } from '#lib/severity.ts'
import { checkbox, field, formOf, selectField, textArea } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { catchValidation, type PageContext, type Problems, pageContext } from './page-context.ts'
import { projectPage } from './project-page.ts'

const path = '/projects/:id/alert_settings'

export async function alertSettingsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    return settings(reply, context, await findSetting(context.em, context.project.id))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const values = readSettingForm(request)
    const { problems } = await catchValidation(() => changeSetting(context.em, context.admin, values))

    if (problems) return settings(reply.code(400), context, values, problems)
    flash(reply, 'The settings are saved.')

    return redirect(reply, `${context.projectUrl}/alert_settings`)
  })
}

function readSettingForm(request: FastifyRequest) {
  const isChecked = (name: string) => textOf(request, name) !== ''
  const limit = textOf(request, 'requests_per_minute').trim()

  return {
    createsIncidents: isChecked('create_incidents'),
    closesIncidents: isChecked('auto_close_incidents'),
    severityFloor: severities.find(severity => severity === textOf(request, 'severity_floor')) ?? 'unknown',
    sendsEmail: isChecked('send_email'),
    incidentTemplate: textOf(request, 'incident_template').trim() || null,
    isFingerprinting: isChecked('generic_alert_fingerprinting'),
    updatesOnRepeat: isChecked('update_repeated_alerts'),
    requestsPerMinute: limit === '' ? null : Number(limit)
  }
}

function settings(reply: FastifyReply, context: PageContext, values: AlertSetting | SettingValues, problems: Problems = {}) {
  return projectPage(
    reply,
    context,
    { title: 'Alert settings', tab: 'alert_settings' },
    html`
    <h1>Alert settings</h1>
    <p class="lead">How this project handles alerts.</p>
    <div class="column">${formOf(reply.request, { action: `${context.projectUrl}/alert_settings` }, fields(values, problems))}</div>`
  )
}

function fields(values: AlertSetting | SettingValues, problems: Problems) {
  const option = (name: string, isChecked: boolean | undefined, label: string, hint: string) =>
    checkbox({ name, value: 'true', label, hint, isChecked })

  return html`
    <h2>Incidents</h2>
    ${option('create_incidents', values.createsIncidents, 'Open an incident for each new alert', 'An issue of the type incident, linked to the alert.')}
    ${option('auto_close_incidents', values.closesIncidents, 'Close it when its alerts are resolved', 'Otherwise it is closed by hand.')}
    ${textArea({
      name: 'incident_template',
      label: 'Template (optional)',
      value: values.incidentTemplate ?? '',
      hint: 'Markdown that is added to each incident opened from an alert.',
      error: problems.incident_template,
      attributes: { rows: 5 }
    })}
    <h2>E-mail</h2>
    ${option('send_email', values.sendsEmail, 'Send e-mail about new and resolved alerts', 'To maintainers, owners, and the assignees of the alert, if this installation has a mail server (SMTP_URL).')}
    <h2>Alerts</h2>
    ${selectField({
      name: 'severity_floor',
      label: 'Minimum severity',
      value: values.severityFloor,
      hint: 'Alerts below it open no incident and send no e-mail.',
      options: severities.map(severity => [severity, severity === 'unknown' ? 'any' : severity])
    })}
    ${option('generic_alert_fingerprinting', values.isFingerprinting, 'Group alerts without a fingerprint by content', 'Payloads that differ only in times and hosts belong to one alert.')}
    ${option('update_repeated_alerts', values.updatesOnRepeat, 'Update repeated alerts', 'A repeated alert raises the severity and updates title and description; its history notes the change.')}
    ${field({
      name: 'requests_per_minute',
      label: 'Requests a minute (optional)',
      value: values.requestsPerMinute == null ? '' : String(values.requestsPerMinute),
      hint: 'Further requests are refused with 429. Empty: no limit.',
      error: problems.requests_per_minute,
      attributes: { class: 'short', inputmode: 'numeric' }
    })}
    <button>Save</button>`
}
