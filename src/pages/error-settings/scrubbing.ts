import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { listProjectEvents } from '#errors/events/list-project-events.ts'
import { readPayload } from '#errors/events/payload.ts'
import { maxPreviewLength } from '#errors/scrub/preview-scrubbing.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { saveSetting, storedForm } from './save-setting.ts'
import { exampleEvent, previewSection, ruleFields, ScrubFields, type ScrubForm, sampleField } from './scrub-fields.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings/scrubbing'

/** The scrubbing rules of a project, with a preview of an event that is not stored. */
export async function scrubbingPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    return showForm(reply, context, { form: await storedForm(context, ScrubFields), sample: exampleEvent })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const form = readForm(request, ScrubFields)
    const sample = textOf(request, 'sample')
    const step = textOf(request, 'step')

    if (step === 'latest') return showLatest(reply, context, form)
    if (step !== 'save') return showForm(reply, context, { form, sample })
    if (!(await saveSetting(context, form))) return showForm(reply.code(400), context, { form, sample })
    flash(reply, 'Settings saved.')

    return redirect(reply, `${context.projectUrl}/error_settings/scrubbing`)
  })
}

/** Shows the last received event, scrubbed once more with rules that are not saved yet. */
async function showLatest(reply: FastifyReply, context: PageContext, form: ScrubForm) {
  const [latest] = await listProjectEvents(context.em, context.project.id, 0, 1)
  const sample = latest && JSON.stringify(readPayload(latest.payload), undefined, 2)

  if (!sample) return showForm(reply, context, { form, sample: exampleEvent, note: 'No events received yet. This is an example.' })
  if (sample.length > maxPreviewLength)
    return showForm(reply, context, { form, sample: exampleEvent, note: 'The last event is too large to preview. This is an example.' })

  return showForm(reply, context, { form, sample })
}

interface View {
  form: ScrubForm
  sample: string
  note?: string
}

function showForm(reply: FastifyReply, context: PageContext, { form, sample, note }: View) {
  return settingsPage(
    reply,
    context,
    '/scrubbing',
    html`
    <p class="lead">Secrets are replaced in events before they are stored. The preview shows what these rules do to an event.</p>
    ${form.render(
      reply.request,
      { action: `${context.projectUrl}/error_settings/scrubbing`, class: 'split', isPreviewed: true },
      html`
      <div>${ruleFields(form)}<button name="step" value="save">Save</button></div>
      <div>${note && html`<p class="problem" role="alert">${note}</p>`}${sampleField(sample)}${previewSection(sample, form)}</div>`
    )}`
  )
}
