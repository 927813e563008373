import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { listProjectEvents } from '#errors/events/list-project-events.ts'
import { readPayload } from '#errors/events/payload.ts'
import { maxPreviewLength } from '#errors/scrub/preview-scrubbing.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { linesOf, textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { type PageContext, type Problems, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { findSetting, problemsOf, saveSetting } from './save-setting.ts'
import { exampleEvent, previewSection, ruleFields, type ScrubValues, sampleField } from './scrub-fields.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings/scrubbing'
const listReason = 'Use at most 100 lines of at most 100 characters, each with a letter or digit.'
const reasons = { scrubbed_keys: listReason, safe_keys: listReason }

/** The scrubbing rules of a project, with a preview of an event that is not stored. */
export async function scrubbingPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    return showForm(reply, context, { values: await storedValues(context), sample: exampleEvent })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const form = { values: readForm(request), sample: textOf(request, 'sample') }
    const step = textOf(request, 'step')

    if (step === 'latest') return showLatest(reply, context, form.values)
    if (step !== 'save') return showForm(reply, context, { ...form, problems: problemsOf(form.values, reasons) })
    const problems = await saveSetting(context, form.values, reasons)

    if (problems) return showForm(reply.code(400), context, { ...form, problems })
    flash(reply, 'The settings are saved.')

    return redirect(reply, `${context.projectUrl}/error_settings/scrubbing`)
  })
}

/** Shows the last received event, scrubbed once more with rules that are not saved yet. */
async function showLatest(reply: FastifyReply, context: PageContext, values: ScrubValues) {
  const [latest] = await listProjectEvents(context.em, context.project.id, 0, 1)
  const sample = latest && JSON.stringify(readPayload(latest.payload), undefined, 2)

  if (!sample) return showForm(reply, context, { values, sample: exampleEvent, note: 'No event was received yet. This is an example.' })
  if (sample.length > maxPreviewLength)
    return showForm(reply, context, { values, sample: exampleEvent, note: 'The last event is too large to preview. This is an example.' })

  return showForm(reply, context, { values, sample })
}

interface Form {
  values: ScrubValues
  sample: string
  problems?: Problems
  note?: string
}

function showForm(reply: FastifyReply, context: PageContext, { values, sample, problems = {}, note }: Form) {
  return settingsPage(
    reply,
    context,
    '/scrubbing',
    html`
    <p class="lead">Secrets are replaced in events before they are stored. The preview shows what these rules do to an event.</p>
    ${formOf(
      reply.request,
      { action: `${context.projectUrl}/error_settings/scrubbing`, class: 'split', isPreviewed: true },
      html`
      <div>${ruleFields(values, problems)}<button name="step" value="save">Save</button></div>
      <div>${note && html`<p class="problem" role="alert">${note}</p>`}${sampleField(sample)}${previewSection(sample, values)}</div>`
    )}`
  )
}

function readForm(request: FastifyRequest): ScrubValues {
  const isChecked = (name: string) => textOf(request, name) !== ''

  return {
    scrubbing: isChecked('scrubbing'),
    scrubbed_keys: linesOf(request, 'scrubbed_keys'),
    safe_keys: linesOf(request, 'safe_keys'),
    keep_ip_addresses: isChecked('keep_ip_addresses')
  }
}

async function storedValues(context: PageContext): Promise<ScrubValues> {
  const setting = await findSetting(context)

  return {
    scrubbing: setting?.isScrubbing ?? true,
    scrubbed_keys: setting?.scrubbedKeys ?? [],
    safe_keys: setting?.safeKeys ?? [],
    keep_ip_addresses: setting?.keepsIpAddresses ?? true
  }
}
