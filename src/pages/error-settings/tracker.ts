import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Check } from 'typebox/value'
import { redirect } from '#api/redirect.ts'
import type { ErrorSetting } from '#errors/settings/error-setting.ts'
import { testTracker } from '#errors/settings/link-tracker.ts'
import { SettingChanges } from '#errors/settings/setting-schemas.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { catchValidation, type PageContext, type Problems, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { findSetting, problemsOf, saveSetting } from './save-setting.ts'
import { settingsPage } from './settings-page.ts'
import { type TrackerForm, trackerView } from './tracker-view.ts'

const path = '/projects/:id/error_settings/tracker'
const reasons = {
  api_url: 'Use an address of at most 255 characters.',
  token: 'Use at most 1000 characters.',
  project_name: 'Use at most 255 characters.',
  tracker_external_url: 'Use an http or https address of at most 255 characters.'
}

/** Links a tracker with Sentry's API, to which SDKs send errors instead. */
export async function trackerPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    return showTracker(reply, context, { setting: await findSetting(context) })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const setting = await findSetting(context)
    const values = readForm(request)

    if (textOf(request, 'action') === 'test') return showTest(reply, context, setting, values)
    const problems = values.api_url
      ? await saveSetting(context, { active: true, integrated: false, ...values }, reasons)
      : { api_url: 'Enter the API URL.' }

    if (problems) return showTracker(reply.code(400), context, { setting, values, problems })
    flash(reply, 'The tracker answered and is linked.')

    return redirect(reply, `${context.projectUrl}/error_settings/tracker`)
  })

  app.post(`${path}/unlink`, guard, async (request, reply) => {
    const context = await pageContext(request)

    await saveSetting(context, { integrated: true }, reasons)
    flash(reply, 'Errors are tracked here again.')

    return redirect(reply, `${context.projectUrl}/error_settings/tracker`)
  })
}

async function showTest(reply: FastifyReply, context: PageContext, setting: ErrorSetting | null, values: Values) {
  const isValid = Check(SettingChanges, { active: true, ...values })
  const { result, problems } = isValid
    ? await catchValidation(() => testTracker(context.admin.config, values, setting))
    : { result: undefined, problems: problemsOf(values, reasons) }

  return showTracker(result ? reply : reply.code(400), context, { setting, values, problems, answer: result?.project })
}

type Values = ReturnType<typeof readForm>

/** Fields that are empty are left out: they stay unchanged, or come from the tracker. */
function readForm(request: FastifyRequest) {
  const given = (name: string) => textOf(request, name).trim() || undefined

  return {
    api_url: given('api_url'),
    token: given('token'),
    project_name: given('project_name'),
    tracker_external_url: given('tracker_external_url')
  }
}

function showTracker(reply: FastifyReply, context: PageContext, form: TrackerForm & { problems?: Problems }) {
  return settingsPage(reply, context, '/tracker', trackerView(reply.request, context, form))
}
