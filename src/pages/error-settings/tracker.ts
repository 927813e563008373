import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { testTracker } from '#errors/settings/link-tracker.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { findSetting, saveSetting, storedForm } from './save-setting.ts'
import { settingsPage } from './settings-page.ts'
import { TrackerFields, type TrackerView, trackerView } from './tracker-view.ts'

const path = '/projects/:id/error_settings/tracker'
/** Links a tracker with Sentry's API, to which SDKs send errors instead. */
export async function trackerPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    return showTracker(reply, context, { setting: await findSetting(context), form: await storedForm(context, TrackerFields) })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const setting = await findSetting(context)
    const form = readForm(request, TrackerFields)
    const values = Object.fromEntries(Object.entries(form.body).filter(([, value]) => value !== null))

    if (textOf(request, 'action') === 'test') {
      const tested = await form.save(() => testTracker(context.admin.config, values, setting))

      return showTracker(tested ? reply : reply.code(400), context, { setting, form, answer: tested?.result.project })
    }
    if (!form.body.api_url) form.problems.api_url ??= 'Enter the API URL.'
    const saved = await saveSetting(context, form, { active: true, integrated: false, ...values })

    if (!saved) return showTracker(reply.code(400), context, { setting, form })
    flash(reply, 'The tracker responded and is linked.')

    return redirect(reply, `${context.projectUrl}/error_settings/tracker`)
  })

  app.post(`${path}/unlink`, guard, async (request, reply) => {
    const context = await pageContext(request)

    await saveSetting(context, readForm(request, Type.Object({})), { integrated: true })
    flash(reply, 'Errors are tracked here again.')

    return redirect(reply, `${context.projectUrl}/error_settings/tracker`)
  })
}

function showTracker(reply: FastifyReply, context: PageContext, view: TrackerView) {
  return settingsPage(reply, context, '/tracker', trackerView(reply.request, context, view))
}
