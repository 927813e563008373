import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Check } from 'typebox/value'
import { previewScrubbing } from '../../../error-tracking/scrub/preview-scrubbing.ts'
import { changeSetting } from '../../../error-tracking/settings/change-setting.ts'
import { ErrorSetting } from '../../../error-tracking/settings/error-setting.ts'
import { SettingChanges } from '../../../error-tracking/settings/setting-schemas.ts'
import { formOf } from '../../layout/field.ts'
import { flash } from '../../layout/flash.ts'
import { linesOf, textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { catchValidation, type PageContext, type Problems, pageContext } from '../page-context.ts'
import { projectPage } from '../project-page.ts'
import { type DataValues, dataFields } from './data-fields.ts'

const path = '/projects/:id/error_settings/data'

/** Scrubbing with a preview, retention, quota and spike protection. */
export async function dataSettingsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    return showForm(reply, context, { values: valuesOf(await findSetting(context)) })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const values = readForm(request)

    return textOf(request, 'action') === 'preview' ? showPreview(reply, context, values) : save(reply, context, values)
  })
}

async function save(reply: FastifyReply, context: PageContext, values: DataValues) {
  const { em, project, admin, projectUrl } = context
  const setting = await findSetting(context)
  const changes = { active: setting?.active ?? false, ...values }

  if (!Check(SettingChanges, changes)) return showForm(reply.code(400), context, { values, problems: problemsOf(values) })
  const { problems } = await catchValidation(() => changeSetting(em, admin.config, { project, setting }, changes, admin.actor))

  if (problems) return showForm(reply.code(400), context, { values, problems })
  flash(reply, 'The settings are saved.')

  return reply.redirect(`${projectUrl}/error_settings/data`, 303)
}

function showPreview(reply: FastifyReply, context: PageContext, values: DataValues) {
  const sample = textOf(reply.request, 'sample')
  const preview = previewScrubbing(sample, {
    isEnabled: values.scrubbing,
    keepsIpAddresses: values.keep_ip_addresses,
    extraKeys: values.scrubbed_keys,
    safeKeys: values.safe_keys
  })

  return preview === undefined
    ? showForm(reply.code(400), context, { values, sample, problems: { sample: 'This is not a JSON object.' } })
    : showForm(reply, context, { values, sample, preview })
}

interface Form {
  values: DataValues
  problems?: Problems
  sample?: string
  preview?: string
}

function showForm(reply: FastifyReply, context: PageContext, form: Form) {
  const { projectUrl, admin } = context

  return projectPage(
    reply,
    context,
    { title: 'Data', tab: 'error_settings' },
    html`
    <h1>Data and privacy</h1>
    <p class="lead"><a href="${projectUrl}/error_settings">Error settings</a></p>
    <div class="column">${formOf(
      reply.request,
      { action: `${projectUrl}/error_settings/data` },
      dataFields({ ...form, problems: form.problems ?? {}, maxDays: admin.config.eventRetentionDays })
    )}</div>`
  )
}

function findSetting({ em, project }: PageContext) {
  return em.findOne(ErrorSetting, { projectId: project.id })
}

function readForm(request: FastifyRequest): DataValues {
  const isChecked = (name: string) => textOf(request, name) !== ''
  const numberOf = (name: string) => {
    const text = textOf(request, name).trim()

    return text === '' ? null : Number(text)
  }

  return {
    scrubbing: isChecked('scrubbing'),
    scrubbed_keys: linesOf(request, 'scrubbed_keys'),
    safe_keys: linesOf(request, 'safe_keys'),
    keep_ip_addresses: isChecked('keep_ip_addresses'),
    retention_days: numberOf('retention_days'),
    events_per_minute: numberOf('events_per_minute'),
    spike_protection: isChecked('spike_protection')
  }
}

function valuesOf(setting: ErrorSetting | null): DataValues {
  return {
    scrubbing: setting?.isScrubbing ?? true,
    scrubbed_keys: setting?.scrubbedKeys ?? [],
    safe_keys: setting?.safeKeys ?? [],
    keep_ip_addresses: setting?.keepsIpAddresses ?? true,
    retention_days: setting?.retentionDays ?? null,
    events_per_minute: setting?.eventsPerMinute ?? null,
    spike_protection: setting?.hasSpikeProtection ?? true
  }
}

const listReason = 'Use at most 100 lines of at most 100 characters, each with a letter or digit.'
const reasons = {
  scrubbed_keys: listReason,
  safe_keys: listReason,
  retention_days: 'Use a number of days from 1 to 3650.',
  events_per_minute: 'Use a number from 1 to 100,000,000.'
}

function problemsOf(values: DataValues): Problems {
  const names = Object.keys(reasons) as (keyof typeof reasons)[]
  const wrong = names.filter(name => !Check(SettingChanges.properties[name], values[name]))

  return Object.fromEntries(wrong.map(name => [name, reasons[name]]))
}
