import type { FastifyInstance, FastifyReply } from 'fastify'
import { changeSetting, findSetting } from '#alerts/change-setting.ts'
import { presentSetting, readSetting, SettingBody } from '#alerts/setting-routes.ts'
import { redirect } from '#api/redirect.ts'
import { severities } from '#lib/severity.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type PageContext, pageContext } from './page-context.ts'
import { projectPage } from './project-page.ts'

const path = '/projects/:id/alert_settings'

export async function alertSettingsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    const setting = await findSetting(context.em, context.project.id)

    return showSettings(reply, context, new Form(SettingBody, presentSetting(setting)))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const form = readForm(request, SettingBody)
    const saved = await form.save(body => changeSetting(context.em, context.admin, readSetting(body)))

    if (!saved) return showSettings(reply.code(400), context, form)
    flash(reply, 'Settings saved.')

    return redirect(reply, `${context.projectUrl}/alert_settings`)
  })
}

function showSettings(reply: FastifyReply, context: PageContext, form: Form<typeof SettingBody>) {
  return projectPage(
    reply,
    context,
    { title: 'Alert settings', tab: 'alert_settings' },
    html`
    <h1>Alert settings</h1>
    <p class="lead">How this project handles alerts.</p>
    <div class="column">${form.render(reply.request, { action: `${context.projectUrl}/alert_settings` }, fields(form))}</div>`
  )
}

function fields(form: Form<typeof SettingBody>) {
  return html`
    <h2>Incidents</h2>
    ${form.checkbox('create_incidents', { label: 'Open an incident for each new alert', hint: 'An issue of type incident, linked to the alert.' })}
    ${form.checkbox('auto_close_incidents', { label: 'Close it when its alerts are resolved', hint: 'If off, close it manually.' })}
    ${form.textArea('incident_template', {
      label: 'Template (optional)',
      hint: 'Markdown added to each incident opened from an alert.',
      attributes: { rows: 5 }
    })}
    <h2>E-mail</h2>
    ${form.checkbox('send_email', { label: 'Send e-mail about new and resolved alerts', hint: 'To maintainers, owners and the alert’s assignees, in addition to notification rules: whoever a rule notifies as well gets both. Requires a mail server.' })}
    <h2>Alerts</h2>
    ${form.select('severity_floor', {
      label: 'Minimum severity',
      hint: 'Alerts below this severity open no incident and send no e-mail.',
      options: severities.map(severity => [severity, severity === 'unknown' ? 'any' : severity])
    })}
    ${form.checkbox('generic_alert_fingerprinting', { label: 'Group alerts without a fingerprint by content', hint: 'Payloads that differ only in times and hosts belong to one alert.' })}
    ${form.checkbox('update_repeated_alerts', { label: 'Update repeated alerts', hint: 'A repeated alert raises the severity and updates the title and description. Its history records the change.' })}
    ${form.field('requests_per_minute', {
      label: 'Requests per minute (optional)',
      hint: 'Further requests are refused with 429. Leave empty for no limit.',
      invalid: 'Enter a whole number from 1 to 1,000,000.'
    })}
    <button>Save</button>`
}
