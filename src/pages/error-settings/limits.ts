import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { SettingChanges } from '#errors/settings/setting-schemas.ts'
import { flash } from '../layout/flash.ts'
import { type Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { saveSetting, storedForm } from './save-setting.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings/limits'
const Fields = Type.Pick(SettingChanges, ['retention_days', 'events_per_minute', 'spike_protection'])

/** Retention, quota and spike protection. */
export async function limitsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    return showLimits(reply, context, await storedForm(context, Fields))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const form = readForm(request, Fields)

    if (!(await saveSetting(context, form))) return showLimits(reply.code(400), context, form)
    flash(reply, 'Settings saved.')

    return redirect(reply, `${context.projectUrl}/error_settings/limits`)
  })
}

function showLimits(reply: FastifyReply, context: PageContext, form: Form<typeof Fields>) {
  const { projectUrl, admin } = context
  const { eventRetentionDays: maxDays, projectEventsPerMinute: maxEvents } = admin.config

  return settingsPage(
    reply,
    context,
    '/limits',
    html`
    <p class="lead">How much this project stores, and for how long. <a href="${projectUrl}/statistics">Statistics</a> show what was dropped.</p>
    <div class="column">${form.render(
      reply.request,
      { action: `${projectUrl}/error_settings/limits` },
      html`
      ${form.field('retention_days', {
        label: 'Keep events for (days, optional)',
        hint: `At most ${maxDays}, the retention of this installation, which also applies if empty. Older events are deleted once a day; errors keep their counts and history.`,
        invalid: 'Use a number of days from 1 to 3650.'
      })}
      ${form.field('events_per_minute', {
        label: 'Events per minute (optional)',
        hint: `Further events are refused with 429, and SDKs wait. Default: ${maxEvents ? `${maxEvents} per minute, the limit of this installation` : 'no limit'}. A client key can have its own limit.`,
        invalid: 'Use a number from 1 to 100,000,000.'
      })}
      ${form.checkbox('spike_protection', {
        label: 'Spike protection',
        hint: 'During a spike, the first events of each minute are stored; the others are only counted.'
      })}
      <button>Save</button>`
    )}</div>`
  )
}
