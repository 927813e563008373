import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { checkbox, field, formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { type PageContext, type Problems, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { findSetting, saveSetting } from './save-setting.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings/limits'
const reasons = {
  retention_days: 'Use a number of days from 1 to 3650.',
  events_per_minute: 'Use a number from 1 to 100,000,000.'
}

/** Retention, quota and spike protection. */
export async function limitsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const setting = await findSetting(context)

    return showLimits(reply, context, {
      retention_days: String(setting?.retentionDays ?? ''),
      events_per_minute: String(setting?.eventsPerMinute ?? ''),
      spike_protection: setting?.hasSpikeProtection ?? true
    })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const form = readForm(request)
    const { retention_days: days, events_per_minute: events, spike_protection } = form
    const values = { retention_days: numberOrNull(days), events_per_minute: numberOrNull(events), spike_protection }
    const problems = await saveSetting(context, values, reasons)

    if (problems) return showLimits(reply.code(400), context, form, problems)
    flash(reply, 'The settings are saved.')

    return redirect(reply, `${context.projectUrl}/error_settings/limits`)
  })
}

function readForm(request: FastifyRequest) {
  return {
    retention_days: textOf(request, 'retention_days').trim(),
    events_per_minute: textOf(request, 'events_per_minute').trim(),
    spike_protection: textOf(request, 'spike_protection') !== ''
  }
}

function numberOrNull(text: string) {
  return text === '' ? null : Number(text)
}

function showLimits(reply: FastifyReply, context: PageContext, form: ReturnType<typeof readForm>, problems: Problems = {}) {
  const { projectUrl, admin } = context
  const { eventRetentionDays: maxDays, projectEventsPerMinute: maxEvents } = admin.config
  const number = (name: 'retention_days' | 'events_per_minute', label: string, hint: string) =>
    field({ name, label, value: form[name], hint, error: problems[name], attributes: { class: 'short', inputmode: 'numeric' } })

  return settingsPage(
    reply,
    context,
    '/limits',
    html`
    <p class="lead">How much this project stores, and for how long. <a href="${projectUrl}/statistics">Statistics</a> show what was dropped.</p>
    <div class="column">${formOf(
      reply.request,
      { action: `${projectUrl}/error_settings/limits` },
      html`
      ${number('retention_days', 'Keep events for days (optional)', `At most ${maxDays}, the retention of this installation. Empty: ${maxDays} days. Older events are deleted once a day; errors keep their counts and history.`)}
      ${number('events_per_minute', 'Events a minute (optional)', `Further events are refused with 429, and SDKs wait. Empty: ${maxEvents ? `${maxEvents} a minute, the limit of this installation` : 'no limit'}. A client key can have a limit of its own.`)}
      ${checkbox({
        name: 'spike_protection',
        value: 'true',
        label: 'Spike protection',
        hint: 'During a spike, the first events of each minute are stored and the others only counted.',
        isChecked: form.spike_protection
      })}
      <button>Save</button>`
    )}</div>`
  )
}
